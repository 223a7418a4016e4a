// A form is sent once, and only if the site answers: over a dead connection the browser would show an error in the place
// of the page, without the typed text. Its button is unlocked when the page returns from the browser's cache.

const sentForms = new Set();

/** Forms that are being submitted normally, because the site has just answered. */
const reachedForms = new Set();

function unlock(form) {
  sentForms.delete(form);
  form.querySelectorAll(SEND_BUTTON).forEach((button) => button.removeAttribute("disabled"));
}

/** Locks the button of a form that was not unlocked meanwhile. */
function lock(form) {
  if (sentForms.has(form)) form.querySelector(SEND_BUTTON)?.setAttribute("disabled", "");
}

/** Submits a form normally, after an answer of the site. */
function submitNormally(form, button) {
  reachedForms.add(form);
  form.requestSubmit(button);
  reachedForms.delete(form);
}

/** Returns whether a form is submitted now. An older browser cannot submit it after a question to the site. */
function isSubmittedNow(form) {
  return reachedForms.has(form) || !form.requestSubmit;
}

/** Submits a form if the site answers, unless the form, its dialog or its button went away meanwhile. */
async function submitIfReached(form, button) {
  const signal = AbortSignal.timeout?.(UNLOCK_AFTER_MS);
  const answer = await request(import.meta.url, { method: "HEAD", cache: "no-store", signal }).catch(() => null);
  const isThere = form.isConnected && !form.closest("dialog:not([open])") && (!button || button.form === form);
  const isWaiting = sentForms.has(form);
  unlock(form);
  if (answer && isThere && isWaiting) {
    submitNormally(form, button);
    return;
  }
  say(NOT_SENT);
  // A locked button loses the focus.
  if (document.activeElement === document.body) button?.focus({ preventScroll: true });
}

document.addEventListener("submit", (event) => {
  const { target: form, submitter: button } = event;
  if (form.method !== "post" || event.defaultPrevented) return;
  if (!navigator.onLine) {
    event.preventDefault();
    say(NOT_SENT);
    return;
  }
  if (sentForms.has(form)) {
    event.preventDefault();
    return;
  }
  sentForms.add(form);
  setTimeout(lock, 0, form);
  setTimeout(unlock, UNLOCK_AFTER_MS, form);
  if (isSubmittedNow(form)) return;
  event.preventDefault();
  submitIfReached(form, button);
});

window.addEventListener("pageshow", () => sentForms.forEach(unlock));

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
