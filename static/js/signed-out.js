/**
 * Right after signing out: clears what this site keeps in the browser, for browsers that don't do so when the server
 * tells them, and tells the site's other pages.
 */

try {
  window.localStorage.clear();
  window.sessionStorage.clear();
} catch {
  // A browser that forbids storage has nothing in it.
}
if ("BroadcastChannel" in window) new BroadcastChannel("bakers.signed-out").postMessage(null);
