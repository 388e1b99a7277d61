/**
 * A random name for a request or a page: 32 hexadecimal digits, which the server takes as a `request_id`.
 *
 * `crypto.randomUUID` exists on https only, and a site tried out in a home network isn't.
 *
 * @returns {string}
 */
export function randomId() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
