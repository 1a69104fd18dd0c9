// Pyodide, with the packages in this folder beside its own. What goes wrong is told to the page, which sees no worker.

const channel = new BroadcastChannel('lesson-python');
const here = name => new URL(name, import.meta.url).href;

const failed = reason => {
  const errors = String(reason).match(/^\w*Error: .*/gm);  // of a traceback its last line
  channel.postMessage({failed: errors?.pop() ?? String(reason)});
};

const watched = fetch => async (...request) => {
  try {
    const answer = await fetch(...request);
    if (!answer.ok) failed(`${answer.url} answers ${answer.status}`);
    return answer;
  } catch (error) {
    failed(`${request[0].url ?? request[0]} cannot be loaded`);
    throw error;
  }
};

const listed = async () => {
  const lock = await (await fetch(here('pyodide-lock.json'))).json();
  for (const found of Object.values(lock.packages))
    if (found.file_name.startsWith('./')) found.file_name = here(found.file_name);
  return lock;
};

const reporting = run => async (...request) => {
  try {
    return await run(...request);
  } catch (error) {
    failed(error);
    throw error;
  }
};

export const loadPyodide = reporting(async options => {
  const {fetch} = self;
  self.fetch = watched(fetch.bind(self));
  const lock = await listed(), indexURL = here(lock.address);
  const lockFileURL = URL.createObjectURL(new Blob([JSON.stringify(lock)]));
  const {loadPyodide} = await import(`${indexURL}pyodide.mjs`);
  const pyodide = await loadPyodide({...options, indexURL, lockFileURL});
  self.fetch = fetch;
  pyodide.runPythonAsync = reporting(pyodide.runPythonAsync.bind(pyodide));  // starts the kernel
  return pyodide;
});
