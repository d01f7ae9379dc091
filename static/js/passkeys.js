// Passkeys: a form with data-passkey="add" or "use" asks the browser for one, puts what it says into the form's field
// `credential` and sends the form. Without script, or where a browser has no passkeys, the words beside it stay.

const bytes = (text) => Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (char) => char.charCodeAt(0));
const words = (buffer) =>
  btoa(String.fromCharCode(...new Uint8Array(buffer))).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");

async function ask(form) {
  const headers = { "X-CSRFToken": form.elements.csrfmiddlewaretoken.value, Accept: "application/json" };
  const answer = await fetch(form.dataset.begin, { method: "POST", headers, credentials: "same-origin" });
  if (!answer.ok) throw new Error(answer.status);
  const options = await answer.json();
  options.challenge = bytes(options.challenge);
  for (const key of options.excludeCredentials ?? []) key.id = bytes(key.id);
  if (form.dataset.passkey === "use") return navigator.credentials.get({ publicKey: options });
  options.user.id = bytes(options.user.id);
  return navigator.credentials.create({ publicKey: options });
}

function written(made) {
  const response = {};
  for (const name of ["clientDataJSON", "attestationObject", "authenticatorData", "signature", "userHandle"]) {
    if (made.response[name]) response[name] = words(made.response[name]);
  }
  return JSON.stringify({ id: made.id, rawId: words(made.rawId), type: made.type, response, clientExtensionResults: {} });
}

for (const form of document.querySelectorAll("form[data-passkey]")) {
  if (!window.isSecureContext || !window.PublicKeyCredential) continue;
  const said = form.querySelector("[data-said]");
  form.hidden = false;
  form.previousElementSibling?.matches("[data-without]") && (form.previousElementSibling.hidden = true);
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    said.textContent = "";
    try {
      form.elements.credential.value = written(await ask(form));
      form.submit();
    } catch {
      said.textContent = said.dataset.said; // refused, stopped, or too slow
    }
  });
}
