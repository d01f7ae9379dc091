// Small conveniences for HTML that works without them: − and + around a number, buttons that print, whose clock a time
// is by, and on a phone the chosen round of a bracket in view.

const seen = new WeakSet(); // brackets whose reader may have scrolled since

function dress(root) {
  for (const stepper of root.querySelectorAll("[data-stepper]")) {
    const input = stepper.querySelector("input");
    if (!input || stepper.querySelector("button")) continue;
    input.before(stepButton(input, "−", stepper.dataset.less, () => input.stepDown()));
    input.after(stepButton(input, "+", stepper.dataset.more, () => input.stepUp()));
  }
  for (const button of root.querySelectorAll("[data-print]")) button.hidden = false;
  for (const time of root.querySelectorAll("time[data-zone]")) tellZone(time);
  countMinutes();
  for (const rounds of root.querySelectorAll("[data-bracket]")) {
    const tab = rounds.querySelector("input:checked")?.parentElement;
    if (tab && !seen.has(rounds)) rounds.scrollLeft = tab.offsetLeft - rounds.clientWidth / 2 + tab.offsetWidth / 2;
    seen.add(rounds);
  }
}

// A reader elsewhere is told whose clock a time is by: "14:20 Helsinki"; of a start also what their own shows then:
// "Sat 24 Oct, 11:00, Berlin (12:00 your time)".
function tellZone(time) {
  if (time.dataset.told) return;
  time.dataset.told = "yes";
  const at = new Date(time.dateTime);
  const told = (style, timeZone) => new Intl.DateTimeFormat("en-GB", { ...style, timeZone }).format(at);
  const day = { dateStyle: "short" }, clock = { hour: "2-digit", minute: "2-digit", hourCycle: "h23" };
  const isSameDay = told(day, time.dataset.zone) === told(day);
  if (isSameDay && told(clock, time.dataset.zone) === told(clock)) return;
  if (time.dataset.city) time.append(` ${time.dataset.city}`);
  if (!time.dataset.yours) return;
  const language = document.documentElement.lang;
  const days = { weekday: "short", day: "numeric", month: "short" };
  const own = new Intl.DateTimeFormat(language === "en" ? "en-GB" : language, isSameDay ? clock : { ...days, ...clock });
  time.append(` (${time.dataset.yours.replace("{time}", own.format(at))})`);
}

// Minutes since something was called go on while the page stands open.
function countMinutes() {
  for (const minutes of document.querySelectorAll("[data-minutes-since]")) {
    const told = Math.max(0, Math.floor((Date.now() - new Date(minutes.dataset.minutesSince)) / 60_000));
    if (minutes.textContent !== `${told}`) minutes.textContent = told;
  }
}

function stepButton(input, sign, label, step) {
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = sign;
  button.setAttribute("aria-label", label);
  button.setAttribute("aria-controls", input.id);
  button.addEventListener("click", () => {
    step();
    input.dispatchEvent(new Event("input", { bubbles: true }));
    input.dispatchEvent(new Event("change", { bubbles: true }));
  });
  return button;
}

dress(document);
setInterval(countMinutes, 10_000);
document.addEventListener("live:shown", (event) => dress(event.target));
document.addEventListener("click", (event) => {
  if (event.target.closest("[data-print]")) print();
});
