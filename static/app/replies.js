// A reply is written under its post. Its form is that of the page of the post. If the site refuses the
// reply, the form is submitted normally, with the same idempotency key.

let replyForm = null;

/** Gives the form's fields other ids, because the page can have a form with the same ones. */
function renameIds(form, prefix) {
  for (const attribute of ["id", "for", "aria-describedby"]) {
    for (const part of form.querySelectorAll(`[${attribute}]`)) {
      const names = part.getAttribute(attribute).split(" ");
      part.setAttribute(attribute, names.map((name) => prefix + name).join(" "));
    }
  }
}

async function openReply(link, status) {
  const line = loadingLine();
  const footer = status.querySelector(":scope > .status-body > footer");
  footer.after(line);
  try {
    const box = await loadPart(link.href, "#reply");
    const form = box.querySelector("[data-compose]");
    // The page of the post says why the person cannot reply now.
    if (!form) throw new Error("no form");
    replyForm?.remove();
    replyForm = form;
    replyForm.classList.remove("sheet");
    replyForm.classList.add("inline-reply");
    renameIds(replyForm, "reply-");
    footer.after(replyForm);
    attachCompose(replyForm);
    fieldOf(replyForm, "message").focus();
  } catch (error) {
    if (!sayNotLoaded(error)) location.assign(link.href);
  }
  line.remove();
}

/** Counts one more reply beside the icon. */
function addToCount(link) {
  showCount(link, (Number(countOf(link).replaceAll(",", "")) + 1).toLocaleString("en"));
}

/** Sends the reply and stays on the page. */
async function sendReply(form, button, status) {
  button.disabled = true;
  try {
    const body = new URLSearchParams(new FormData(form));
    const response = await fetch(form.action, { method: "POST", body, signal: AbortSignal.timeout?.(PRESS_MS) });
    if (response.ok && response.redirected) {
      const page = new DOMParser().parseFromString(await response.text().catch(() => ""), "text/html");
      deleteDrafts((key) => key === draftKey(form));
      form.remove();
      const link = status.querySelector(":scope > .status-body > footer > .reply");
      addToCount(link);
      link.focus();
      say("Posted.");
      // An open conversation shows it (newer.js).
      document.dispatchEvent(new CustomEvent("replied", { detail: { page, to: status.id } }));
      return;
    }
    if (response.status < 500) {
      button.disabled = false;
      submitNormally(form, button);
      return;
    }
  } catch {
    // The text is still in the form.
  }
  button.disabled = false;
  say(NOT_SENT);
}

// The other scripts have no place for a sentence of their own.
document.addEventListener("say", ({ detail }) => say(detail));

document.addEventListener("click", (event) => {
  const link = event.target.closest?.(".status footer > .reply");
  if (!link || !isPlain(event) || !login || link.pathname === location.pathname) return;
  event.preventDefault();
  const status = link.closest(".status");
  const open = status.querySelector(":scope > .status-body > .inline-reply");
  if (open) closeReply(open);
  else if (!status.querySelector(":scope > .status-body > .loading")) openReply(link, status);
});

/** Closes the form. Its draft stays. */
function closeReply(form) {
  const status = form.closest(".status");
  form.remove();
  status.querySelector(":scope > .status-body > footer > .reply").focus();
}

document.addEventListener("keydown", (event) => {
  const form = event.target.closest?.(".inline-reply");
  if (form && event.key === "Escape" && !event.defaultPrevented) closeReply(form);
});

document.addEventListener("submit", (event) => {
  const { target: form, submitter: button } = event;
  if (!form.matches(".inline-reply") || button?.name === "extras" || reachedForms.has(form)) return;
  event.preventDefault();
  if (!button?.disabled) sendReply(form, button ?? form.querySelector(SEND_BUTTON), form.closest(".status"));
  // In the capture phase: the form around the feed does not pass on the event of a form inside it.
}, true);
