// The line above the notebook: whether Python runs, and the reader's own copy of the lesson.

const SECONDS = 90;
const path = new URLSearchParams(location.search).get('path');

const bar = document.createElement('header');
bar.className = 'lesson-bar';
bar.innerHTML = `<p role="status"></p>
  <button id="lesson-download" disabled>Download</button>
  <button id="lesson-again" disabled>Start over</button>
  <dialog aria-labelledby="lesson-question">
    <p id="lesson-question">Start over? Your changes to this lesson, kept in this browser, are deleted.</p>
    <button id="lesson-yes">Start over</button> <button id="lesson-keep">Download them first</button>
    <button id="lesson-no" autofocus>Cancel</button>
  </dialog>`;
document.body.prepend(bar);
const [button, dialog] = [name => bar.querySelector(`#lesson-${name}`), bar.querySelector('dialog')];

const say = (words, failed = false) => {
  bar.querySelector('p').textContent = words;
  bar.classList.toggle('failed', failed);
};
const fail = reason => say(`Python cannot start in this browser: ${reason}`, true);
const until = async found => {
  while (!found()) await new Promise(next => setTimeout(next, 200));
  return found();
};

// Python.

const waitForPython = async kernel => {
  say('Python is loading. The first time that takes a while; read on meanwhile.');
  const late = setTimeout(() => fail(`no answer for ${SECONDS} seconds. Reload the page to try again.`), SECONDS * 1000);
  const told = new BroadcastChannel('lesson-python');
  told.onmessage = ({data}) => fail(`${data.failed}.`);
  await kernel.requestExecute({code: '', silent: true}).done;
  clearTimeout(late);
  told.close();
  say('Python runs in this browser. Your changes to this lesson are kept here, on this device.');
};

// The reader's copy.

const download = ({context}) => {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([context.model.toString()], {type: 'application/x-ipynb+json'}));
  link.download = path.split('/').pop();
  link.click();
};

const startOver = async ({context}) => {
  await context.save();
  await window.jupyterapp.serviceManager.contents.delete(path);
  await context.revert();
  location.reload();
};

const tellNewer = async ({context}) => {
  const original = await (await fetch(`../files/${path}`)).json();
  if (original.metadata.release !== context.model.getMetadata('release'))
    say('This lesson has changed since you began your copy. Start over to see the new one.');
};

const open = async () => {
  const panel = await until(() => window.jupyterapp?.shell?.currentWidget);
  await panel.context.ready;
  button('download').onclick = button('keep').onclick = () => download(panel);
  button('again').onclick = () => dialog.showModal();
  button('no').onclick = () => dialog.close();
  button('yes').onclick = () => startOver(panel);
  button('download').disabled = button('again').disabled = false;
  await panel.sessionContext.ready;
  await waitForPython(panel.sessionContext.session.kernel);
  await tellNewer(panel);
};

if (location.protocol === 'file:') {
  fail('it was opened as a file. It needs a web server: run "python -m http.server" in the folder that holds the whole site.');
} else if (!window.WebAssembly) {
  fail('WebAssembly is missing or switched off.');
} else {
  say('The lesson opens.');
  open();
}
