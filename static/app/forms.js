// A form is sent once. A form with a typed text is sent only if the site answers. Over a dead connection, the browser
// would replace the page by an error and lose the text.

/** The attempts to send forms: the locked button of each, and the timer that unlocks it. */
const attempts = new Map();
/** The last click. With a modifier key, its form opens in a new tab. */
let lastClick = null;

function unlock(form) {
  const attempt = attempts.get(form);
  if (!attempt) return;
  attempts.delete(form);
  clearTimeout(attempt.timer);
  attempt.button?.removeAttribute("disabled");
}

/** Locks a form and its button. */
function lock(form, button) {
  unlock(form);
  const attempt = { button: button ?? form.querySelector(SEND_BUTTON), timer: setTimeout(unlock, UNLOCK_AFTER_MS, form) };
  attempts.set(form, attempt);
  // Later, because the name of a disabled button is not sent.
  setTimeout(() => attempts.get(form) === attempt && attempt.button?.setAttribute("disabled", ""));
  return attempt;
}

/** Submits a form normally, after an answer of the site. */
function submitNormally(form, button) {
  reachedForms.add(form);
  form.requestSubmit(button);
  reachedForms.delete(form);
}

/** Submits a form if the site answers, unless it was unlocked or removed meanwhile. */
async function submitIfReached(form, button, attempt) {
  say("");
  const slow = setTimeout(() => attempts.get(form) === attempt && say("Sending…"), SLOW_MS);
  const signal = AbortSignal.timeout?.(UNLOCK_AFTER_MS - SLOW_MS);
  const answer = await request(import.meta.url, { method: "HEAD", cache: "no-store", signal }).catch(() => null);
  clearTimeout(slow);
  if (attempts.get(form) !== attempt) return;
  unlock(form);
  if (!form.isConnected || (button && button.form !== form)) {
    say("");
    return;
  }
  // While the site restarts, a proxy answers with such a status.
  if (answer && answer[0].status < 500) {
    submitNormally(form, button);
    // The browser refuses a form with an empty required field.
    if (!attempts.has(form)) say("");
    return;
  }
  say(NOT_SENT);
  // A disabled button loses the focus.
  if (document.activeElement === document.body) button?.focus({ preventScroll: true });
}

/** Returns whether a text would be lost with the page. */
function hasText(form) {
  if (form.matches("[data-compose], .log-out")) return true;
  return typedFields(form).some((field) => field.matches("textarea, input:not([type=checkbox], [type=radio])") && field.value);
}

document.addEventListener("click", (event) => (lastClick = event), true);

document.addEventListener("submit", (event) => {
  const { target: form, submitter: button } = event;
  if (form.method !== "post" || event.defaultPrevented) return;
  if (!navigator.onLine) {
    event.preventDefault();
    say(NOT_SENT);
    return;
  }
  if (attempts.has(form)) {
    event.preventDefault();
    return;
  }
  const attempt = lock(form, button);
  const opensTab = lastClick?.target === button && !isPlain(lastClick) && !form.matches(".log-out");
  if (isSubmittedNow(form) || opensTab || !hasText(form)) return;
  event.preventDefault();
  submitIfReached(form, button, attempt);
});

// A page from the browser's cache can be sent again.
window.addEventListener("pageshow", (event) => {
  if (event.persisted) [...attempts.keys()].forEach(unlock);
});

// --- Asks before deleting, without leaving the page. The dialog is not in the page until it is needed.

const DELETE_DIALOG = `
  <dialog aria-labelledby="confirm-delete-title">
    <form method="post">
      <h2 id="confirm-delete-title">Delete this post?</h2>
      <blockquote></blockquote>
      <p>It disappears from every timeline. This cannot be undone.</p>
      <input type="hidden" name="csrf_token">
      <input type="hidden" name="next">
      <div class="actions">
        <button class="secondary" type="button" data-close>Cancel</button>
        <button class="danger" type="submit">Delete</button>
      </div>
    </form>
  </dialog>`;
let dialog = null;
/** The post that the dialog is about. */
let statusToDelete = null;

/** Deletes a post of a timeline. Its card disappears at once, and comes back if the site does not confirm it. */
async function deleteInPlace(form, card) {
  const body = new URLSearchParams(new FormData(form));
  body.set("next", "/live/notice");
  dialog.close();
  say("");
  const show = hideCards([card]);
  try {
    const answer = await send(form, form.action, body);
    if (answer?.notice) {
      card.remove();
      say(answer.notice);
      return;
    }
    // The page of the deletion says why.
    location.assign(form.action);
  } catch (error) {
    show();
    say(`Not saved. ${isUnanswered(error) ? "Try again" : error.message}.`);
  }
}

function makeDialog() {
  const made = document.createRange().createContextualFragment(DELETE_DIALOG).firstElementChild;
  made.querySelector("form").addEventListener("submit", (event) => {
    // The page says what an empty timeline means.
    if (!statusToDelete?.closest(".feed") || document.querySelectorAll(".feed .status:not([hidden])").length < 2) return;
    event.preventDefault();
    deleteInPlace(event.target, statusToDelete);
  });
  made.addEventListener("click", (event) => {
    if (event.target === made || event.target.closest("[data-close]")) made.close();
  });
  document.body.append(made);
  return made;
}

/** Returns the text of a post. A post behind a warning is named by its warning. */
function excerpt(status) {
  const hidden = status.querySelector(".warned:not([open]) > summary");
  return (hidden ?? status.querySelector(".e-content")).innerText.trim();
}

if ("HTMLDialogElement" in window) {
  document.addEventListener("click", (event) => {
    const link = event.target.closest?.("a.delete");
    if (!link || !isPlain(event)) return;
    event.preventDefault();
    dialog ??= makeDialog();
    const form = dialog.querySelector("form");
    form.action = link.pathname;
    form.elements.csrf_token.value = document.querySelector("[name=csrf_token]").value;
    form.elements.next.value = location.pathname + location.search;
    statusToDelete = link.closest(".status");
    dialog.querySelector("blockquote").textContent = excerpt(statusToDelete ?? document.querySelector(".status"));
    dialog.showModal();
    dialog.querySelector("[data-close]").focus();
  });
}
