/**
 * The account's part of every page: signing in comes back to where the player is, and a page that is still open after
 * somebody signed out in another tab shows nothing of theirs.
 */

/** On which a page is told that somebody has signed out. */
const channel = "BroadcastChannel" in window ? new BroadcastChannel("bakers.signed-out") : null;

const signIn = document.querySelector("a[data-sign-in]");
signIn?.addEventListener("click", () => {
  // The table's address changes while it is played.
  const { pathname } = window.location;
  if (!pathname.startsWith("/accounts/"))
    /** @type {HTMLAnchorElement} */ (signIn).href = `/accounts/login/?next=${encodeURIComponent(pathname)}`;
});

channel?.addEventListener("message", () => {
  try {
    // What this page has stored since the browser cleared everything.
    window.localStorage.clear();
    window.sessionStorage.clear();
  } catch {
    // A browser that forbids storage has nothing in it.
  }
  window.location.reload();
});

// The way back shows a page as it was left, and no message reaches it meanwhile. The token in the cookie is another
// one since somebody signed in or out.
let cookies = "";
window.addEventListener("pagehide", () => {
  cookies = document.cookie;
});
window.addEventListener("pageshow", (event) => {
  if (event.persisted && document.cookie !== cookies) window.location.reload();
});
