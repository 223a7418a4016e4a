// An open page hears what changes while it is seen: posts that came to home, one's own counts, and how
// many notifications are unread. It asks for what is new only where somebody wants to see it. Every page works without this file.

const LIVE = "/live";
const HOME = "/";
const NOTIFICATIONS = "/notifications";
/** How long to wait before coming back where the browser does not by itself; it doubles each time. */
const BACK_AFTER_MS = 2_000;
const BACK_AFTER_MOST_MS = 120_000;
/** Up to how many are counted. */
const COUNTED_TO = 99;

const login = document.body.dataset.login;
const home = document.querySelector("[data-since]");

// --- The stream. It is open while the page is seen, and goes on from what the page shows: so what
//     comes while it is closed is there when it is opened again.

let stream = null;
let waiting = 0;
let tries = 0;
let loggedOut = false;

function address() {
  const query = new URLSearchParams({ login });
  if (home) query.set("since", home.dataset.since);
  return `${LIVE}?${query}`;
}

function listen() {
  clearTimeout(waiting);
  if (stream || loggedOut || document.hidden || !navigator.onLine) return;
  stream = new EventSource(address());
  const hear = (name, act) => stream.addEventListener(name, (event) => act(event.data));
  stream.addEventListener("open", () => { tries = 0; });
  hear("arrived", (count) => showArrivals(Number(count), "exact"));
  hear("reset", (count) => showArrivals(Number(count), "about"));
  hear("counts", (counts) => showCounts(JSON.parse(counts)));
  hear("unread", (count) => showUnread(Number(count)));
  hear("ended", comeBack);
  hear("crowded", leave);
  stream.addEventListener("error", () => {
    if (stream?.readyState === EventSource.CLOSED) comeBack();
  });
}

function leave() {
  clearTimeout(waiting);
  stream?.close();
  stream = null;
}

/** Later, and later each time, unless this person is logged out in this browser. */
async function comeBack() {
  leave();
  try {
    const answer = await fetch(address(), { method: "HEAD", cache: "no-store" });
    if (answer.status === 403) {
      showLoggedOut();
      return;
    }
  } catch {
    // The site cannot be reached: it may be at the next try.
  }
  const longest = Math.min(BACK_AFTER_MOST_MS, BACK_AFTER_MS * 2 ** tries);
  tries += 1;
  clearTimeout(waiting);
  waiting = setTimeout(listen, longest * (0.5 + Math.random() / 2));
}

// --- What it says stands above what is being read, and moves none of it.

const place = document.createElement("div");
place.className = "live";
place.setAttribute("role", "status");

// The title without the number of what was new when the page was made, and that number.
let plain = "";
let counted = "";

function readTitle(title) {
  [, counted = "", plain] = /^(?:\((\d+\+?)\) )?(.*)$/s.exec(title);
  document.title = title;
}

/** What was asked for and stands here is not counted as new any more. */
function forgetCounted() {
  counted = "";
  document.title = plain;
}

readTitle(document.title);

function showArrivals(count, how) {
  if (loggedOut) return;
  const number = count > COUNTED_TO ? `${COUNTED_TO}+` : String(count);
  showTitle(count);
  if (count === 0 && how === "exact") {
    place.replaceChildren();
    return;
  }
  const words = count === 0 ? "Show new posts" : `${number} new ${count === 1 ? "post" : "posts"}`;
  const shown = place.querySelector("button");
  if (shown?.textContent === words) return;
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = words;
  button.addEventListener("click", load);
  const focused = shown && shown === document.activeElement;
  place.replaceChildren(button);
  if (focused) button.focus();
}

function showTitle(count) {
  if (counted.endsWith("+")) return;
  const all = Number(counted) + count;
  const number = all > COUNTED_TO ? `${COUNTED_TO}+` : all;
  document.title = all > 0 ? `(${number}) ${plain}` : plain;
}

function showCounts(counts) {
  for (const [name, [number, noun]] of Object.entries(counts)) {
    for (const link of document.querySelectorAll(`[data-counts] [data-count="${name}"]`)) {
      link.querySelector("b").textContent = number;
      link.lastChild.textContent = ` ${noun}`;
    }
  }
}

/** Beside the link to them and, where they stand, in the title and above them. */
function showUnread(count) {
  const number = count > COUNTED_TO ? `${COUNTED_TO}+` : String(count);
  const shown = document.querySelector("[data-unread]");
  shown.textContent = count > 0 ? number : "";
  shown.parentElement.hidden = count === 0;
  if (location.pathname === NOTIFICATIONS) showNotifications(count, number);
}

function showNotifications(count, number) {
  if (loggedOut) return;
  showTitle(count);
  const link = document.createElement("a");
  link.className = "button";
  link.href = NOTIFICATIONS;
  link.textContent = `${number} new ${count === 1 ? "notification" : "notifications"}`;
  place.replaceChildren(...(count > 0 ? [link] : []));
}

/** What was typed is kept in this tab and comes back after the log-in. */
function showLoggedOut() {
  loggedOut = true;
  const words = document.createElement("p");
  words.className = "flash";
  const link = document.createElement("a");
  link.href = `/login?${new URLSearchParams({ next: location.pathname })}`;
  link.textContent = "Log in";
  words.append("You have been logged out. ", link, " to continue. Your text is saved.");
  place.replaceChildren(words);
}

// --- What is new is read from home as it is now.

async function load({ currentTarget: button }) {
  button.disabled = true;
  try {
    const answer = await fetch(HOME, { cache: "no-store" });
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    if (answer.ok && page.body.dataset.login === login && merge(page)) return;
  } catch {
    // The browser says what is wrong when it is asked for the page itself.
  }
  location.assign(HOME);
}

/** Puts what this page does not show in its place, and takes what is gone from it. False where the
    two have nothing in common: there may be more posts them. */
function merge(page) {
  const theirs = page.querySelector("[data-since]");
  const [ours, sheet] = [home, theirs].map((part) => part?.querySelector(".feed .sheet"));
  if (!ours || !sheet) return false;
  const known = new Set([...ours.querySelectorAll(".status")].map((status) => status.id));
  const statuses = [...sheet.querySelectorAll(".status")];
  if (!statuses.some((status) => known.has(status.id))) return false;
  weave(ours, sheet, idOf(statuses.at(-1)));
  const first = statuses.find((status) => !known.has(status.id));
  takeOver(page, theirs);
  focusOn(first ?? statuses[0]);
  return true;
}

const idOf = (status) => Number(status.id.slice("status-".length));

/** Makes our sheet what theirs is, down to the oldest status of theirs. A line above what is older
    belongs to that. */
function weave(ours, sheet, oldest) {
  const parts = [...ours.children];
  const isOlder = (part) => part.matches(".status") && idOf(part) < oldest;
  const older = parts.findIndex(isOlder);
  const rest = older > 0 && parts[older - 1].matches(".line") ? older - 1 : older;
  const shown = older < 0 ? parts : parts.slice(0, rest);
  const there = new Map(shown.filter((part) => part.id).map((part) => [part.id, part]));
  const wanted = [...sheet.children];
  const ids = new Set(wanted.map((part) => part.id));
  shown.filter((part) => !part.id || !ids.has(part.id)).forEach((part) => part.remove());
  let at = ours.firstElementChild;
  for (const part of wanted) {
    if (at && there.get(part.id) === at) at = at.nextElementSibling;
    else ours.insertBefore(document.adoptNode(part), at);
  }
}

/** What else of home says how much is new, and from where the stream goes on. */
function takeOver(page, theirs) {
  const [before, now] = [home, theirs].map((part) => part.querySelector(".news"));
  const allShown = now?.querySelector("a")?.getAttribute("href").startsWith(`${HOME}#`);
  before?.remove();
  if (now && !allShown) home.querySelector(".feed").before(document.adoptNode(now));
  home.dataset.since = theirs.dataset.since;
  readTitle(page.title);
  if (allShown) forgetCounted();
  place.replaceChildren();
  document.dispatchEvent(new Event("statuseschange"));
  leave();
  listen();
}

function focusOn(status) {
  const shown = document.getElementById(status.id);
  shown.tabIndex = -1;
  shown.focus();
}

if (login && "EventSource" in window) {
  const form = home?.querySelector("[data-compose]");
  if (form) form.after(place);
  else document.querySelector("main").prepend(place);
  document.addEventListener("visibilitychange", () => (document.hidden ? leave() : listen()));
  window.addEventListener("pagehide", leave);
  window.addEventListener("pageshow", listen);
  window.addEventListener("offline", leave);
  window.addEventListener("online", listen);
  listen();
}
