/**
 * The token that unsafe calls carry, from its cookie.
 *
 * @returns {string} as it stands: a token needs no decoding, and what isn't one is for the server to refuse
 */
export function csrfToken() {
  const name = `${document.body.dataset.csrfCookie}=`;
  const cookie = document.cookie.split("; ").find((each) => each.startsWith(name));
  return cookie?.slice(name.length) ?? "";
}
