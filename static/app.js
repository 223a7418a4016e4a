// What is nicer with JavaScript: a counter, a question before deleting, buttons that leave the page
// where it is, times that stay true, a draft that survives a reload. Every page works without this file.

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
/** Characters left from which on the counter is said aloud. */
const SAY_FROM = 50;
/** How long typing must rest before the counter is said, so that it does not talk over it. */
const SAY_AFTER_MS = 800;
/** When a form whose answer never came may be sent again. */
const FREE_AFTER_MS = 10_000;

const login = document.body.dataset.login ?? "";

// --- Counting as the server counts: grapheme clusters of the trimmed text, CR LF as one.

const graphemes = "Segmenter" in Intl ? new Intl.Segmenter("en", { granularity: "grapheme" }) : null;

function characters(text) {
  const sent = text.trim().replace(/\r?\n/g, "\r\n");
  return graphemes ? [...graphemes.segment(sent)].length : [...sent.replaceAll("\r\n", "\n")].length;
}

// --- A draft stays in this tab, under the login that typed it, and goes with the log-in.
//     Only what the server says it has posted is forgotten: an answer may never come, and a page
//     without a login may be shown because nobody knows who is looking.

/** The draft of a post, of an answer to one or of a comment on one. */
function draftKey(form) {
  const replyTo = form.elements.reply_to?.value;
  const quotes = new URL(form.action).pathname.match(/\/(\d+)\/quote$/)?.[1];
  if (quotes) return `draft:${login}:quote:${quotes}`;
  return replyTo ? `draft:${login}:${replyTo}` : `draft:${login}`;
}

function forgetDrafts(which) {
  try {
    const keys = Object.keys(sessionStorage).filter((key) => key.startsWith("draft:") && which(key));
    keys.forEach((key) => sessionStorage.removeItem(key));
  } catch {
    // A browser that keeps nothing for sites has nothing to forget.
  }
}

function isOthers(key) {
  return key !== `draft:${login}` && !key.startsWith(`draft:${login}:`);
}

/** Of what was sent, the last is what the server says it has posted. */
function isPosted(key) {
  const last = sessionStorage.getItem("sent-draft");
  return last ? key === last : true;
}

/** A form that comes back with a reason holds the newest text; else this tab does. A text that was
    sent keeps the nonce of its form: should it be posted already, it is not posted twice. */
function keepDraft(form) {
  if (!login) return;
  const { message, idempotency_key: key } = form.elements;
  const draftName = draftKey(form);
  let sentWith = null;
  const keep = () => {
    try {
      sessionStorage.setItem(draftName, JSON.stringify({ text: message.value, sentWith }));
      if (sentWith) sessionStorage.setItem("sent-draft", draftName);
    } catch {
      // No room, or not allowed: the text still stands in the form.
    }
  };
  try {
    const draft = JSON.parse(sessionStorage.getItem(draftName));
    const returned = message.hasAttribute("aria-invalid") || message.closest(".retained");
    if (returned) {
      sentWith = key.value;
      keep();
    } else if (draft) {
      message.value = draft.text;
      sentWith = draft.sentWith;
      key.value = sentWith ?? key.value;
    }
  } catch {
    // What cannot be read is no draft.
  }
  message.addEventListener("input", keep);
  form.addEventListener("submit", () => {
    sentWith = key.value;
    keep();
  });
}

if (document.querySelector("[data-posted]")) forgetDrafts(isPosted);
if (login) forgetDrafts(isOthers);
document.querySelector(".log-out")?.addEventListener("submit", () => forgetDrafts(() => true));

// --- The form to post, and the one to correct a post, of which no draft is kept

const compose = document.querySelector("[data-compose]");

if (compose) {
  const message = compose.elements.message;
  const room = compose.querySelector("[data-limit]");
  const said = compose.querySelector("[data-room-said]");
  const limit = Number(room.dataset.limit);
  let saying = 0;

  const count = () => {
    const left = limit - characters(message.value);
    const words = left < 0 ? `${-left} too many` : `${left} left`;
    room.textContent = words;
    room.classList.toggle("over", left < 0);
    clearTimeout(saying);
    saying = setTimeout(() => { said.textContent = left <= SAY_FROM ? `${words} of ${limit}` : ""; }, SAY_AFTER_MS);
  };

  if (compose.elements.idempotency_key) keepDraft(compose);
  count();
  message.addEventListener("input", count);
  message.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      compose.requestSubmit();
    }
  });
}

// --- The buttons under a status, pressed without leaving the page. What goes wrong there is left to the
//     form itself, whose answer says what to do.

const pressing = new Set();
const leftToTheForm = new Set();

/** A line in the place of the post: the reader sees which one is gone. */
function sayDeleted(status) {
  const words = document.createElement("p");
  words.className = "about";
  words.tabIndex = -1;
  words.textContent = "This post was deleted.";
  status.querySelector(".status-body").replaceChildren(words);
  words.focus();
}

/** Whatever the server answers to a form that it accepted, it leads on to a page: that of the post, from
    which the number comes, as others may have pressed meanwhile. */
async function press(button, form) {
  const status = button.closest(".status");
  const body = new URLSearchParams(new FormData(form));
  body.set("next", status.querySelector(".when").pathname);
  const answer = await fetch(button.formAction, { method: "POST", body });
  if (answer.status === 404) {
    sayDeleted(status);
    return;
  }
  if (!answer.redirected) throw new Error(`not accepted: ${answer.status}`);
  const pressed = button.getAttribute("aria-pressed") !== "true";
  const [, path, un, deed] = button.getAttribute("formaction").match(/^(.*\/)(un)?(\w+)$/);
  button.setAttribute("aria-pressed", pressed);
  button.setAttribute("formaction", `${path}${un ? "" : "un"}${deed}`);
  const number = button.querySelector("b");
  if (number) {
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const same = page.querySelector(`[formaction^="${path}"][formaction$="${deed}"] b`);
    number.textContent = (same ?? number).textContent;
  }
}

document.addEventListener("submit", (event) => {
  const { target: form, submitter: button } = event;
  if (form.id !== "act" || !button?.hasAttribute("aria-pressed") || leftToTheForm.delete(button)) return;
  event.preventDefault();
  if (pressing.has(button)) return;
  pressing.add(button);
  press(button, form)
    .catch(() => {
      leftToTheForm.add(button);
      form.requestSubmit(button);
    })
    .finally(() => pressing.delete(button));
});

// --- A form is sent once. The button is freed when the page comes back from the browser's cache.

const sent = new Set();

function free(form) {
  sent.delete(form);
  form.querySelectorAll("[type=submit]").forEach((button) => button.removeAttribute("disabled"));
}

document.addEventListener("submit", (event) => {
  const form = event.target;
  if (form.method !== "post" || event.defaultPrevented) return;
  if (sent.has(form)) {
    event.preventDefault();
    return;
  }
  sent.add(form);
  setTimeout(() => form.querySelector("[type=submit]")?.setAttribute("disabled", ""));
  setTimeout(free, FREE_AFTER_MS, form);
});

window.addEventListener("pageshow", () => sent.forEach(free));

// --- Asking before deleting, without leaving the page

const dialog = document.querySelector("#confirm-delete");

if (dialog?.showModal) {
  document.addEventListener("click", (event) => {
    const link = event.target.closest?.("a.delete");
    if (!link || event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    const form = dialog.querySelector("form");
    form.action = link.pathname;
    form.elements.next.value = location.pathname + location.search;
    dialog.querySelector("blockquote").textContent = link.closest(".status").querySelector(".e-content").innerText.trim();
    dialog.showModal();
    dialog.querySelector("[data-close]").focus();
  });
  dialog.addEventListener("click", (event) => {
    if (event.target === dialog || event.target.closest("[data-close]")) dialog.close();
  });
}

// --- Times stay true while the page is open, and the full time is the reader's own.

const day = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short" });
const dayOfYear = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", year: "numeric" });
const full = new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeStyle: "short" });

function short(then, now) {
  const age = Math.max(0, now - then);
  if (age < MINUTE_MS) return "now";
  if (age < HOUR_MS) return `${Math.floor(age / MINUTE_MS)} min`;
  if (age < DAY_MS) return `${Math.floor(age / HOUR_MS)} h`;
  return (then.getFullYear() === now.getFullYear() ? day : dayOfYear).format(then);
}

function refreshTimes() {
  const now = new Date();
  for (const time of document.querySelectorAll("time[datetime]")) {
    const then = new Date(time.dateTime);
    if (Number.isNaN(then.valueOf())) continue;
    const age = short(then, now);
    time.textContent = "ago" in time.dataset && / (min|h)$/.test(age) ? `${age} ago` : age;
    time.title = full.format(then);
  }
}

refreshTimes();
setInterval(refreshTimes, MINUTE_MS);
document.addEventListener("visibilitychange", () => { if (!document.hidden) refreshTimes(); });
document.addEventListener("statuseschange", refreshTimes);
