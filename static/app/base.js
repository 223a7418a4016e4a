// What all parts of this script use: constants, loading a page, counting characters. `src/web/assets.rs` joins the files
// of this folder into one script, so that a page loads one file. They share one scope. Every page works without it.

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
/** From this many remaining characters, the counter is shown and announced to screen readers. */
const ANNOUNCE_FROM = 50;
/** Pause in typing before the counter is announced. */
const ANNOUNCE_AFTER_MS = 800;
/** After this time, a form without a response may be sent again. */
const UNLOCK_AFTER_MS = 10_000;
/** After this time, a form that waits for an answer says so. */
const SLOW_MS = 300;
/** A press without an answer for this time counts as failed. */
const PRESS_MS = 20_000;
/** The button that sends a form. The others have names: they show more of it, or act on one of many posts. */
const SEND_BUTTON = "[type=submit]:not([hidden], [name])";
/** How long a toast is shown. */
const TOAST_MS = 8_000;

const login = document.body.dataset.login ?? "";

const NOT_LOADED = "Not loaded. Try again.";
const OUTDATED = "This page is outdated. Reload it.";
const NOT_SENT = "Not sent. Try again.";

/** The site was upgraded since this page was loaded: it no longer has what this page needs. */
class OutdatedError extends Error {}

/** No answer of the site came. */
class UnansweredError extends Error {}

/** Returns whether a request failed because no answer came. Another error is a fault of this script. */
function isUnanswered(error) {
  return error instanceof UnansweredError;
}

/** Sends a request and returns the answer with its whole text. Throws `UnansweredError` if no answer comes in time. */
async function request(path, options = {}) {
  try {
    const response = await fetch(path, { signal: AbortSignal.timeout?.(PRESS_MS), ...options });
    return [response, await response.text()];
  } catch {
    throw new UnansweredError(path);
  }
}

/** Forms that are being submitted normally, because the site has just answered. */
const reachedForms = new Set();

/** Returns whether a form is submitted without asking the site first. An older browser cannot submit it afterwards. */
function isSubmittedNow(form) {
  return reachedForms.has(form) || !form.requestSubmit;
}

/** Returns whether the account is frozen, so that the site would refuse this form. A notice in it says so. */
function isFrozen(form) {
  return Boolean(form.querySelector(".send:disabled"));
}

// Ctrl+Enter sends a form without its button. This listener is the first, so no other sends the form.
document.addEventListener("submit", (event) => {
  if (!isFrozen(event.target)) return;
  event.preventDefault();
  event.stopImmediatePropagation();
}, true);

/** Returns the first field of a form with this name. After its id changed, Firefox does not find it in `form.elements`. */
function fieldOf(form, name) {
  return form.querySelector(`[name="${name}"]`);
}

/** Returns a page of the site as it is now. Throws if no answer comes, or another page. */
async function loadPage(path) {
  const [response, text] = await request(path, { cache: "no-store" });
  const page = new DOMParser().parseFromString(text, "text/html");
  if (!response.ok || page.body.dataset.login !== login) throw new Error("another page");
  return page;
}

/** Returns a part of a page of the site, for this page. Throws if no answer comes, another page, or one without the part. */
async function loadPart(path, css) {
  const part = (await loadPage(path)).querySelector(css);
  if (!part) throw new OutdatedError(css);
  return document.adoptNode(part);
}

/** Loads a script of the site. Throws if no answer comes, or if the site no longer has the script. */
async function loadScript(url) {
  try {
    return await import(url);
  } catch {
    const answer = await fetch(url, { cache: "no-store" }).catch(() => null);
    throw answer?.status === 404 ? new OutdatedError(url) : new UnansweredError(url);
  }
}

/** Returns a line that says that something is being loaded. */
function loadingLine() {
  const line = document.createElement("p");
  line.className = "meta loading";
  line.setAttribute("role", "status");
  line.textContent = "Loading…";
  return line;
}

/** Returns whether a click does not open another tab or window. */
function isPlain(event) {
  return event.button === 0 && !event.ctrlKey && !event.metaKey && !event.shiftKey && !event.altKey;
}

// --- Counts like the server: grapheme clusters of the trimmed text, CR LF as one.

let graphemes = null;

function countCharacters(text) {
  const normalized = text.trim().replace(/\r?\n/g, "\r\n");
  if (!normalized) return 0;
  if (!("Segmenter" in Intl)) return [...normalized.replaceAll("\r\n", "\n")].length;
  graphemes ??= new Intl.Segmenter("en", { granularity: "grapheme" });
  return [...graphemes.segment(normalized)].length;
}
