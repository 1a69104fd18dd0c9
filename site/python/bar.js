// The line above the notebook: whether Python runs, and the reader's own copy of the lesson.

const PATIENCE = 120;  // seconds
const READY = 'Python is ready.';
const BUSY = 'Python is computing; in a browser it takes several times as long as outside.';
const path = new URLSearchParams(location.search).get('path');

const bar = document.createElement('header');
bar.className = 'lesson-bar';
bar.innerHTML = `<div role="status"><p id="lesson-python">The lesson is loading.</p><p id="lesson-copy"></p></div>
  <a href="../../index.html">All lessons</a>
  <button id="lesson-download" disabled>Download</button>
  <button id="lesson-again" disabled>Start over</button>
  <dialog aria-labelledby="lesson-question">
    <p id="lesson-question">Start over? The lesson becomes as it was; your changes to it in this browser are deleted.</p>
    <button id="lesson-yes">Start over</button>
    <button id="lesson-keep">Download my copy first</button>
    <button id="lesson-no" autofocus>Cancel</button>
  </dialog>`;
document.body.prepend(bar);
const at = name => bar.querySelector(`#lesson-${name}`), dialog = bar.querySelector('dialog');

const until = async found => {
  while (!found()) await new Promise(next => setTimeout(next, 100));
  return found();
};

// Python.

const say = (words, failed = false) => {
  at('python').textContent = words;
  at('python').classList.toggle('failed', failed);
};
const fail = reason => say(`Python cannot start: ${reason}`, true);

const waitForPython = async kernel => {
  say('Python is loading; the first time takes longest.');
  const late = setTimeout(() => fail(`no answer for ${PATIENCE} seconds. Reload the page to try again.`), PATIENCE * 1000);
  const told = new BroadcastChannel('lesson-python');
  told.onmessage = ({data}) => fail(data.failed);
  await kernel.requestExecute({code: '', silent: true}).done;
  clearTimeout(late);
  told.close();
  say(READY);
};

const follow = sessionContext => {
  let long;
  sessionContext.statusChanged.connect((_, status) => {
    clearTimeout(long);
    if (status.endsWith('restarting')) waitForPython(sessionContext.session.kernel);
    else if (status === 'busy') long = setTimeout(() => say(BUSY), 2000);
    else if (status === 'idle') say(READY);
  });
};

// The reader's copy.

const download = context => {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([context.model.toString()], {type: 'application/x-ipynb+json'}));
  link.download = path.split('/').pop();
  link.click();
};

const startOver = async context => {
  await context.save();
  await window.jupyterapp.serviceManager.contents.delete(path);
  await context.revert();
  location.reload();
};

const compare = async context => {
  const original = await (await fetch(`../files/${path}`)).json();
  at('copy').textContent = original.metadata.release === context.model.getMetadata('release')
    ? 'Your changes stay in this browser.'
    : 'This lesson has changed since you began your copy: Start over shows the new one.';
};

const followLinks = context => document.addEventListener('click', async event => {
  const [, lesson] = event.target.closest?.('.jp-RenderedMarkdown a')?.pathname.match(/\/files\/(.*\.ipynb)$/) ?? [];
  if (!lesson) return;
  event.preventDefault();
  event.stopPropagation();
  await context.save();
  window.open(`?path=${lesson}`, event.ctrlKey || event.metaKey ? '_blank' : '_self');
}, true);

const offer = context => {
  at('download').onclick = at('keep').onclick = () => download(context);
  at('again').onclick = () => dialog.showModal();
  at('no').onclick = () => dialog.close();
  at('yes').onclick = () => startOver(context);
  at('download').disabled = at('again').disabled = false;
};

const open = async () => {
  const {context, sessionContext} = await until(() => window.jupyterapp?.shell?.currentWidget);
  await context.ready;
  offer(context);
  followLinks(context);
  compare(context);
  await sessionContext.ready;
  await waitForPython(sessionContext.session.kernel);
  follow(sessionContext);
};

if (location.protocol === 'file:')
  fail('it needs a web server. Run "python -m http.server" in the folder of the whole site, and open http://localhost:8000.');
else if (!window.WebAssembly) fail('this browser lacks WebAssembly, or it is switched off.');
else if (!path) location.replace('..');
else open();
