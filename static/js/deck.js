// Builds a side deck without leaving the page: each press is a form that works alone, and its answer comes in place.

const deck = document.querySelector("[data-deck]");

deck?.addEventListener("submit", async (event) => {
  const form = event.target.closest("[data-deck-form]");
  if (!form) return;
  event.preventDefault();
  const pressed = event.submitter;
  if (deck.getAttribute("aria-busy") === "true") return;
  deck.setAttribute("aria-busy", "true");
  const body = new URLSearchParams();
  body.set(pressed.name, pressed.value);
  try {
    const response = await fetch(`${form.getAttribute("action")}?part=deck`, { method: "POST", body, headers: { Accept: "text/html" } });
    if (!response.ok || response.redirected) throw new Error();
    deck.innerHTML = await response.text();
    const same = [...deck.querySelectorAll("button")].find((button) => button.name === pressed.name && button.value === pressed.value && !button.disabled);
    (same ?? deck.querySelector("h1")).focus();
  } catch {
    const notice = deck.querySelector(".notice.bad") ?? form.insertAdjacentElement("beforebegin", Object.assign(document.createElement("p"), { className: "notice bad" }));
    notice.setAttribute("role", "alert");
    notice.textContent = deck.dataset.away;
  } finally {
    deck.removeAttribute("aria-busy");
  }
});
