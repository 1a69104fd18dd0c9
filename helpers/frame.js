// What a title, its controls and its picture need in JupyterLab and Notebook 7.
// Runs once for each frame, as the handler of its <style>: `this` is that element.

const root = this.closest('.attn');

// Keys. A focused control keeps its keys ("dd" would delete the cell). What a notebook needs passes.

const ofNotebook = key =>
  key.ctrlKey || key.metaKey || key.altKey || key.key === 'Escape' || (key.key === 'Enter' && key.shiftKey);

const guard = key => {
  const control = key.target.closest?.('.attn *');
  if (!control) return;
  control.toggleAttribute('data-lm-suppress-shortcuts', !ofNotebook(key));
  if (key.key === 'Escape') {
    control.blur();
    control.closest('.jp-Cell')?.focus();
  }
};

// On the window, before any notebook sees the key; once for all frames.
if (!window.attnGuard) {
  window.attnGuard = guard;
  window.addEventListener('keydown', guard, true);
}

// Names. Controls say their label, and sliders the word beside them instead of an index.

const set = (element, name, value) => {
  if (element && element.getAttribute(name) !== value) element.setAttribute(name, value);
};

const PLAY = {'fa-play': 'play', 'fa-pause': 'pause', 'fa-stop': 'stop', 'fa-retweet': 'repeat'};

const nameControl = control => {
  const all = (selector, change) => control.querySelectorAll(selector).forEach(change);
  all('.widget-readout[contenteditable=true]', readout => {
    readout.contentEditable = 'false';
    readout.removeAttribute('tabindex');
  });
  const label = control.querySelector('.widget-label')?.textContent ?? '';
  const readout = control.querySelector('.widget-readout');
  all('.noUi-handle, select', element => set(element, 'aria-label', label));
  if (readout) all('.noUi-handle', handle => set(handle, 'aria-valuetext', readout.textContent));
  all('.widget-toggle-buttons > div', group => { set(group, 'role', 'group'); set(group, 'aria-label', label); });
  all('.widget-toggle-button', button => set(button, 'aria-pressed', String(button.classList.contains('mod-active'))));
  all('.widget-play button', button => set(button, 'aria-label', PLAY[button.firstChild.classList[1]]));
};

// Changes. A screen reader hears the notes of a changed picture, feedback and score, but not whole tables.

const notes = () => [...root.querySelectorAll('.attn-views > div > .attn-note:only-child')].map(note => note.textContent).join(' ');

let heard = notes();

const announce = () => {
  root.querySelectorAll(':is(.attn-feedback, .attn-score) > .widget-html-content').forEach(region => set(region, 'aria-live', 'polite'));
  const words = notes();
  if (words === heard) return;
  heard = words;
  root.querySelector('.attn-heard').textContent = words;
};

// The kernel. After a restart it does not know these controls.

const LOST = 'The kernel was restarted, so nothing moves here. Choose Run, Run All Cells.';

const tell = () => {
  const notice = root.querySelector('.attn-lost');
  const words = root.classList.contains('jupyter-widgets-disconnected') ? LOST : '';
  if (notice && notice.textContent !== words) notice.textContent = words;
};

const update = () => {
  root.querySelectorAll('[title=null]').forEach(element => element.removeAttribute('title'));
  root.querySelectorAll('.attn-controls > *').forEach(nameControl);
  announce();
  tell();
};

update();
new MutationObserver(update).observe(root, {childList: true, subtree: true, characterData: true, attributes: true,
  attributeFilter: ['aria-valuetext', 'class', 'title', 'contenteditable']});
