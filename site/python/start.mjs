// Pyodide, with the packages in this folder beside its own. What goes wrong is told to the page, which sees no worker.

const channel = new BroadcastChannel('lesson-python');
const here = name => new URL(name, import.meta.url).href;

const failed = reason => channel.postMessage({failed: String(reason)});

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

export const loadPyodide = async options => {
  const {fetch} = self;
  self.fetch = watched(fetch.bind(self));
  try {
    const lock = await listed(), indexURL = here(lock.address);
    const lockFileURL = URL.createObjectURL(new Blob([JSON.stringify(lock)]));
    const pyodide = await import(`${indexURL}pyodide.mjs`);
    return await pyodide.loadPyodide({...options, indexURL, lockFileURL});
  } catch (error) {
    failed(error);
    throw error;
  } finally {
    self.fetch = fetch;
  }
};
