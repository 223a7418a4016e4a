// Updates relative times while the page is open, and shows full times in the reader's time zone.

const dayFormat = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short" });
const dayYearFormat = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", year: "numeric" });
const clockFormat = new Intl.DateTimeFormat("en-GB", { timeStyle: "short" });
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
    if ("full" in time.dataset) time.textContent = fullFormat.format(then);
    // The end of a sentence. A full stop after the element would move.
    else if ("clock" in time.dataset) time.textContent = `${clockFormat.format(then)}.`;
    else time.textContent = "ago" in time.dataset && / (min|h)$/.test(age) ? `${age} ago` : age;
    time.title = fullFormat.format(then);
  }
}

refreshTimes();
setInterval(refreshTimes, MINUTE_MS);
document.addEventListener("visibilitychange", () => { if (!document.hidden) refreshTimes(); });
document.addEventListener("statuseschange", refreshTimes);
