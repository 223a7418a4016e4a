// Optional improvements: a character counter, a confirmation dialog, buttons that do not reload the
// page, relative times, drafts that survive a reload. Every page works without this file.

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
/** From this many remaining characters, the counter is announced to screen readers. */
const ANNOUNCE_FROM = 50;
/** Pause in typing before the counter is announced. */
const ANNOUNCE_AFTER_MS = 800;
/** After this time, a form without a response may be sent again. */
const UNLOCK_AFTER_MS = 10_000;

const login = document.body.dataset.login ?? "";

// --- Counts like the server: grapheme clusters of the trimmed text, CR LF as one.

const graphemes = "Segmenter" in Intl ? new Intl.Segmenter("en", { granularity: "grapheme" }) : null;

function countCharacters(text) {
  const normalized = text.trim().replace(/\r?\n/g, "\r\n");
  return graphemes ? [...graphemes.segment(normalized)].length : [...normalized.replaceAll("\r\n", "\n")].length;
}

// --- Drafts are stored in this tab under the member's login, until log-out.
//     A draft is deleted only when the server confirms the post, because a response may be lost.
//     A page without a login does not delete drafts: the server may not know the viewer yet.

/** Returns the storage key of the draft of a post, reply or quote. */
function draftKey(form) {
  const replyTo = form.elements.reply_to?.value;
  const quoteOf = new URL(form.action).pathname.match(/\/(\d+)\/quote$/)?.[1];
  if (quoteOf) return `draft:${login}:quote:${quoteOf}`;
  return replyTo ? `draft:${login}:${replyTo}` : `draft:${login}`;
}

function deleteDrafts(shouldDelete) {
  try {
    const keys = Object.keys(sessionStorage).filter((key) => key.startsWith("draft:") && shouldDelete(key));
    keys.forEach((key) => sessionStorage.removeItem(key));
  } catch {
    // This browser stores nothing for sites.
  }
}

function isOfOtherLogin(key) {
  return key !== `draft:${login}` && !key.startsWith(`draft:${login}:`);
}

/** Returns whether the server has confirmed this draft: the one that was sent last. */
function isPosted(key) {
  const lastSent = sessionStorage.getItem("sent-draft");
  return lastSent ? key === lastSent : true;
}

/** Stores and restores the form's draft. A form that was given back with an error contains the newest
    text; otherwise this tab does. A sent text keeps its idempotency key, so it is not posted twice. */
function attachDraft(form) {
  if (!login) return;
  const { message, idempotency_key: keyField } = form.elements;
  const storageKey = draftKey(form);
  let sentKey = null;
  const saveDraft = () => {
    try {
      sessionStorage.setItem(storageKey, JSON.stringify({ text: message.value, sentWith: sentKey }));
      if (sentKey) sessionStorage.setItem("sent-draft", storageKey);
    } catch {
      // Storage is full or forbidden. The text is still in the form.
    }
  };
  try {
    const draft = JSON.parse(sessionStorage.getItem(storageKey));
    const returned = message.hasAttribute("aria-invalid") || message.closest(".retained");
    if (returned) {
      sentKey = keyField.value;
      saveDraft();
    } else if (draft) {
      message.value = draft.text;
      sentKey = draft.sentWith;
      keyField.value = sentKey ?? keyField.value;
    }
  } catch {
    // An unreadable draft is ignored.
  }
  message.addEventListener("input", saveDraft);
  form.addEventListener("submit", () => {
    sentKey = keyField.value;
    saveDraft();
  });
}

if (document.querySelector("[data-posted]")) deleteDrafts(isPosted);
if (login) deleteDrafts(isOfOtherLogin);
document.querySelector(".log-out")?.addEventListener("submit", () => deleteDrafts(() => true));

// --- The form to post, and the form to edit a post, which has no draft

const compose = document.querySelector("[data-compose]");

if (compose) {
  const message = compose.elements.message;
  const counter = compose.querySelector("[data-limit]");
  const announcement = compose.querySelector("[data-announcement]");
  const limit = Number(counter.dataset.limit);
  let announceTimer = 0;

  const updateCounter = () => {
    const left = limit - countCharacters(message.value);
    const label = left < 0 ? `${-left} too many` : `${left} left`;
    counter.textContent = label;
    counter.classList.toggle("over-limit", left < 0);
    clearTimeout(announceTimer);
    announceTimer = setTimeout(() => { announcement.textContent = left <= ANNOUNCE_FROM ? `${label} of ${limit}` : ""; }, ANNOUNCE_AFTER_MS);
  };

  if (compose.elements.idempotency_key) attachDraft(compose);
  updateCounter();
  message.addEventListener("input", updateCounter);
  message.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      compose.requestSubmit();
    }
  });
}

// --- Buttons under a status work without a reload. After an error the form is submitted normally, and
//     the error page explains the next step.

const pendingButtons = new Set();
const normalSubmitButtons = new Set();

/** Replaces the text of a deleted post by a message. */
function showDeleted(status) {
  const message = document.createElement("p");
  message.className = "meta";
  message.tabIndex = -1;
  message.textContent = "This post was deleted.";
  status.querySelector(".status-body").replaceChildren(message);
  message.focus();
}

/** Sends the form. An accepted form redirects to the page of the post, which has the current count,
    including changes by others. */
async function submitButton(button, form) {
  const status = button.closest(".status");
  const body = new URLSearchParams(new FormData(form));
  body.set("next", status.querySelector(".time").pathname);
  const response = await fetch(button.formAction, { method: "POST", body });
  if (response.status === 404) {
    showDeleted(status);
    return;
  }
  if (!response.redirected) throw new Error(`not accepted: ${response.status}`);
  const pressed = button.getAttribute("aria-pressed") !== "true";
  const [, path, undo, action] = button.getAttribute("formaction").match(/^(.*\/)(un)?(\w+)$/);
  button.setAttribute("aria-pressed", pressed);
  button.setAttribute("formaction", `${path}${undo ? "" : "un"}${action}`);
  const number = button.querySelector("b");
  if (number) {
    const page = new DOMParser().parseFromString(await response.text(), "text/html");
    const updated = page.querySelector(`[formaction^="${path}"][formaction$="${action}"] b`);
    number.textContent = (updated ?? number).textContent;
  }
}

document.addEventListener("submit", (event) => {
  const { target: form, submitter: button } = event;
  if (form.id !== "actions" || !button?.hasAttribute("aria-pressed") || normalSubmitButtons.delete(button)) return;
  event.preventDefault();
  if (pendingButtons.has(button)) return;
  pendingButtons.add(button);
  submitButton(button, form)
    .catch(() => {
      normalSubmitButtons.add(button);
      form.requestSubmit(button);
    })
    .finally(() => pendingButtons.delete(button));
});

// --- A form is sent once. Its button is unlocked when the page returns from the browser's cache.

const sentForms = new Set();

function unlock(form) {
  sentForms.delete(form);
  form.querySelectorAll("[type=submit]").forEach((button) => button.removeAttribute("disabled"));
}

document.addEventListener("submit", (event) => {
  const form = event.target;
  if (form.method !== "post" || event.defaultPrevented) return;
  if (sentForms.has(form)) {
    event.preventDefault();
    return;
  }
  sentForms.add(form);
  setTimeout(() => form.querySelector("[type=submit]")?.setAttribute("disabled", ""));
  setTimeout(unlock, UNLOCK_AFTER_MS, form);
});

window.addEventListener("pageshow", () => sentForms.forEach(unlock));

// --- Asks before deleting, without leaving the page

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

// --- Updates relative times while the page is open, and shows full times in the reader's time zone.

const dayFormat = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short" });
const dayYearFormat = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", year: "numeric" });
const fullFormat = new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeStyle: "short" });

function shortTime(then, now) {
  const age = Math.max(0, now - then);
  if (age < MINUTE_MS) return "now";
  if (age < HOUR_MS) return `${Math.floor(age / MINUTE_MS)} min`;
  if (age < DAY_MS) return `${Math.floor(age / HOUR_MS)} h`;
  return (then.getFullYear() === now.getFullYear() ? dayFormat : dayYearFormat).format(then);
}

function refreshTimes() {
  const now = new Date();
  for (const time of document.querySelectorAll("time[datetime]")) {
    const then = new Date(time.dateTime);
    if (Number.isNaN(then.valueOf())) continue;
    const age = shortTime(then, now);
    time.textContent = "ago" in time.dataset && / (min|h)$/.test(age) ? `${age} ago` : age;
    time.title = fullFormat.format(then);
  }
}

refreshTimes();
setInterval(refreshTimes, MINUTE_MS);
document.addEventListener("visibilitychange", () => { if (!document.hidden) refreshTimes(); });
document.addEventListener("statuseschange", refreshTimes);
