/** Shows what has to do with passkeys where the browser knows them, and says why one couldn't be used. */

/** @type {Record<string, string>} by the name of the browser's error */
const WORDS = {
  InvalidStateError: "This device has a passkey for your account already.",
  NotAllowedError: "No passkey was used. Please try again.",
  NotSupportedError: "This device can’t make a passkey of that kind.",
  SecurityError: "Passkeys need the site’s own address, over https or on localhost.",
};

if ("PublicKeyCredential" in window)
  for (const part of document.querySelectorAll("[data-passkey]")) part.removeAttribute("hidden");

document.addEventListener("allauth.error", (event) => {
  const { exception } = /** @type {CustomEvent<{exception: unknown}>} */ (event).detail;
  const name = exception instanceof Error ? exception.name : "";
  for (const place of document.querySelectorAll("[data-passkey-error]"))
    place.textContent = WORDS[name] ?? "That didn’t work. Please try again in a moment.";
  // The page says it; the console need not.
  event.preventDefault();
});
