// Updates an open, visible page: new posts on home, the member's own counts, unread notifications. New
// posts are loaded only on request. Every page works without this file.

const LIVE = "/live";
const HOME = "/";
const NOTIFICATIONS = "/notifications";
/** Delay before reconnecting when the browser does not reconnect itself. Doubles each time. */
const RECONNECT_AFTER_MS = 2_000;
const RECONNECT_AFTER_MAX_MS = 120_000;
/** Higher counts are shown as 99+. */
const COUNTED_TO = 99;

const login = document.body.dataset.login;
const home = document.querySelector("[data-since]");

// --- The stream. It is open while the page is visible, and continues from the newest post on the page.
//     So events that arrive while it is closed are delivered when it is opened again.

let stream = null;
let waiting = 0;
let tries = 0;
let loggedOut = false;

function streamUrl() {
  const query = new URLSearchParams({ login });
  if (home) query.set("since", home.dataset.since);
  return `${LIVE}?${query}`;
}

function openStream() {
  clearTimeout(waiting);
  if (stream || loggedOut || document.hidden || !navigator.onLine) return;
  stream = new EventSource(streamUrl());
  const on = (name, act) => stream.addEventListener(name, (event) => act(event.data));
  stream.addEventListener("open", () => { tries = 0; });
  on("arrived", (count) => showArrivals(Number(count), "exact"));
  on("reset", (count) => showArrivals(Number(count), "about"));
  on("counts", (counts) => showCounts(JSON.parse(counts)));
  on("unread", (count) => showUnread(Number(count)));
  on("ended", reconnect);
  on("crowded", closeStream);
  stream.addEventListener("error", () => {
    if (stream?.readyState === EventSource.CLOSED) reconnect();
  });
}

function closeStream() {
  clearTimeout(waiting);
  stream?.close();
  stream = null;
}

/** Reconnects after a growing delay, unless the member is logged out in this browser. */
async function reconnect() {
  closeStream();
  try {
    const response = await fetch(streamUrl(), { method: "HEAD", cache: "no-store" });
    if (response.status === 403) {
      showLoggedOut();
      return;
    }
  } catch {
    // The site cannot be reached. The next attempt may succeed.
  }
  const longest = Math.min(RECONNECT_AFTER_MAX_MS, RECONNECT_AFTER_MS * 2 ** tries);
  tries += 1;
  clearTimeout(waiting);
  waiting = setTimeout(openStream, longest * (0.5 + Math.random() / 2));
}

// --- Messages are shown above the page's content, without moving it.

const place = document.createElement("div");
place.className = "live";
place.setAttribute("role", "status");

// The title without the count of new posts, and that count.
let plain = "";
let counted = "";

function readTitle(title) {
  [, counted = "", plain] = /^(?:\((\d+\+?)\) )?(.*)$/s.exec(title);
  document.title = title;
}

/** All new posts are on the page, so the title no longer counts them. */
function clearCount() {
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
  button.addEventListener("click", loadNewPosts);
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

/** Shows the count beside the link, and on the notifications page also in the title and above the list. */
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

/** Drafts are stored in this tab and return after the log-in. */
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

// --- New posts are taken from a freshly loaded home.

async function loadNewPosts({ currentTarget: button }) {
  button.disabled = true;
  try {
    const response = await fetch(HOME, { cache: "no-store" });
    const page = new DOMParser().parseFromString(await response.text(), "text/html");
    if (response.ok && page.body.dataset.login === login && merge(page)) return;
  } catch {
    // The browser shows the error when it loads the page itself.
  }
  location.assign(HOME);
}

/** Adds new posts to this page and removes deleted ones. Returns false if the two pages have no post in
    common, because there may be more between them. */
function merge(page) {
  const loadedHome = page.querySelector("[data-since]");
  const [ownSheet, loadedSheet] = [home, loadedHome].map((part) => part?.querySelector(".feed .sheet"));
  if (!ownSheet || !loadedSheet) return false;
  const known = new Set([...ownSheet.querySelectorAll(".status")].map((status) => status.id));
  const statuses = [...loadedSheet.querySelectorAll(".status")];
  if (!statuses.some((status) => known.has(status.id))) return false;
  mergeSheet(ownSheet, loadedSheet, idOf(statuses.at(-1)));
  const first = statuses.find((status) => !known.has(status.id));
  takeOverState(page, loadedHome);
  focusOn(first ?? statuses[0]);
  return true;
}

const idOf = (status) => Number(status.id.slice("status-".length));

/** Makes our sheet equal to the loaded one, down to the oldest status of the loaded one. The line above
    an older status stays with it. */
function mergeSheet(ownSheet, loadedSheet, oldest) {
  const parts = [...ownSheet.children];
  const isOlder = (part) => part.matches(".status") && idOf(part) < oldest;
  const older = parts.findIndex(isOlder);
  const rest = older > 0 && parts[older - 1].matches(".line") ? older - 1 : older;
  const shown = older < 0 ? parts : parts.slice(0, rest);
  const there = new Map(shown.filter((part) => part.id).map((part) => [part.id, part]));
  const wanted = [...loadedSheet.children];
  const ids = new Set(wanted.map((part) => part.id));
  shown.filter((part) => !part.id || !ids.has(part.id)).forEach((part) => part.remove());
  let at = ownSheet.firstElementChild;
  for (const part of wanted) {
    if (at && there.get(part.id) === at) at = at.nextElementSibling;
    else ownSheet.insertBefore(document.adoptNode(part), at);
  }
}

/** Takes over the summary of new posts, the title, and the position of the stream. */
function takeOverState(page, loadedHome) {
  const [before, now] = [home, loadedHome].map((part) => part.querySelector(".news"));
  const allShown = now?.querySelector("a")?.getAttribute("href").startsWith(`${HOME}#`);
  before?.remove();
  if (now && !allShown) home.querySelector(".feed").before(document.adoptNode(now));
  home.dataset.since = loadedHome.dataset.since;
  readTitle(page.title);
  if (allShown) clearCount();
  place.replaceChildren();
  document.dispatchEvent(new Event("statuseschange"));
  closeStream();
  openStream();
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
  document.addEventListener("visibilitychange", () => (document.hidden ? closeStream() : openStream()));
  window.addEventListener("pagehide", closeStream);
  window.addEventListener("pageshow", openStream);
  window.addEventListener("offline", closeStream);
  window.addEventListener("online", openStream);
  openStream();
}
