// The reader's choice of dark or light: read before the first paint, kept in this browser; without one the system decides.
(() => {
  const root = document.documentElement;
  const stored = () => { try { return localStorage.getItem("theme"); } catch { return null; } };
  const store = (theme) => { try { localStorage.setItem("theme", theme); } catch { /* storage refused: it lasts for this page */ } };
  const isTheme = (value) => value === "dark" || value === "light";

  const asked = new URLSearchParams(location.search).get("theme");
  if (isTheme(asked)) store(asked);
  const chosen = isTheme(asked) ? asked : stored();
  if (isTheme(chosen)) root.dataset.theme = chosen;

  document.addEventListener("DOMContentLoaded", () => {
    const button = document.querySelector("[data-theme-switch]");
    if (!button) return;
    const isDark = () => (root.dataset.theme || (matchMedia("(prefers-color-scheme: light)").matches ? "light" : "dark")) === "dark";
    const label = () => { button.textContent = isDark() ? button.dataset.toLight : button.dataset.toDark; };
    button.addEventListener("click", () => {
      root.dataset.theme = isDark() ? "light" : "dark";
      store(root.dataset.theme);
      label();
    });
    label();
    button.hidden = false;
  });
})();
