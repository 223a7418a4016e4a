// Updates relative times while the page is open, and shows full times in the reader's time zone.

/** Formats of a date by their names. Each is made when it is needed, because that takes milliseconds on a phone. */
const DATE_OPTIONS = {
  clock: { timeStyle: "short" },
  full: { dateStyle: "long", timeStyle: "short" },
};
const dateFormats = {};
/** The names that the site uses. A format of the browser has others, and to make it takes a phone a tenth of a second. */
const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

function formatDate(name, date) {
  dateFormats[name] ??= new Intl.DateTimeFormat("en-GB", DATE_OPTIONS[name]);
  return dateFormats[name].format(date);
}

function shortTime(then, now) {
  const age = Math.max(0, now - then);
  if (age < MINUTE_MS) return "now";
  if (age < HOUR_MS) return `${Math.floor(age / MINUTE_MS)} min`;
  if (age < DAY_MS) return `${Math.floor(age / HOUR_MS)} h`;
  const day = `${then.getDate()} ${MONTHS[then.getMonth()]}`;
  return then.getFullYear() === now.getFullYear() ? day : `${day} ${then.getFullYear()}`;
}

/** Returns the words of a time: the full time, the hour and minute at the end of a sentence, or the age. */
function wordsOfTime(time, then, now) {
  if ("full" in time.dataset) return formatDate("full", then);
  // A full stop after the element would move.
  if ("clock" in time.dataset) return `${formatDate("clock", then)}.`;
  const age = shortTime(then, now);
  return "ago" in time.dataset && / (min|h)$/.test(age) ? `${age} ago` : age;
}

function refreshTimes() {
  const now = new Date();
  for (const time of document.querySelectorAll("time[datetime]")) {
    const then = new Date(time.dateTime);
    if (Number.isNaN(then.valueOf())) continue;
    const words = wordsOfTime(time, then, now);
    // Text that stays as it is needs no new layout.
    if (time.textContent !== words) time.textContent = words;
  }
}

// The tooltip of a time is the full time. Most are never looked at.
document.addEventListener("pointerover", ({ target }) => {
  const time = target.closest?.("time[datetime]");
  const then = new Date(time?.dateTime);
  if (!Number.isNaN(then.valueOf())) time.title = formatDate("full", then);
});

refreshTimes();
setInterval(refreshTimes, MINUTE_MS);
document.addEventListener("visibilitychange", () => { if (!document.hidden) refreshTimes(); });
document.addEventListener("statuseschange", refreshTimes);
