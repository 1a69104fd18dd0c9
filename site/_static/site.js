// Explorers. Every state was rendered when the site was built; the controls choose one.

const position = control => {  // of its value among those it offers
  const field = control.querySelector('select, [type=range], [type=checkbox], :checked');
  return field.type === 'checkbox' ? Number(field.checked) : field.selectedIndex ?? Number(field.value);
};

const speak = slider => {  // the word instead of the position
  const word = slider.list.options[slider.value].label;
  slider.setAttribute('aria-valuetext', word);
  slider.parentElement.querySelector('output').value = word;
};

const unpack = async base64 => {
  const bytes = Uint8Array.from(atob(base64), letter => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
  return new Response(stream).json();
};

const start = async explorer => {
  const form = explorer.querySelector('form'), picture = explorer.querySelector('.attn-views');
  const controls = [...form.querySelectorAll('.attn-control')], sliders = [...form.querySelectorAll('[type=range]')];
  const {pieces, views, states} = await unpack(explorer.querySelector('script').textContent);
  let shown = [];

  const show = () => {
    sliders.forEach(speak);
    const state = states[controls.reduce((place, control) => place * control.dataset.count + position(control), 0)];
    while (picture.children.length > state.length) picture.lastChild.remove();
    while (picture.children.length < state.length) picture.append(document.createElement('div'));
    state.forEach((view, i) => {
      const box = picture.children[i];
      if (view === shown[i]) return;
      box.innerHTML = views[view].map(piece => pieces[piece]).join('');
      box.ariaLive = box.matches(':has(> .attn-note:first-child)') ? 'polite' : null;
      const column = box.querySelector('thead th[data-marked]');
      if (column) box.scrollLeft = column.offsetLeft - box.clientWidth / 2;
    });
    shown = state;
    reach(picture);
  };

  form.addEventListener('input', show);
  form.addEventListener('submit', event => event.preventDefault());
  form.querySelectorAll('[data-plays]').forEach(button => play(button, document.getElementById(button.dataset.plays), show));
  form.firstElementChild.disabled = false;
  show();
};

const play = (button, slider, show) => {  // moves the slider step by step to its end
  let clock = null;
  const run = on => {
    clearInterval(clock);
    clock = on ? setInterval(step, 900) : null;
    button.textContent = on ? 'Pause' : 'Play';
  };
  const to = value => { slider.value = value; show(); };
  const step = () => { to(+slider.value + 1); if (slider.value === slider.max) run(false); };
  button.addEventListener('click', () => { to(slider.value === slider.max ? 0 : slider.value); run(!clock); });
};

// Quizzes. A choice is open, or not, without any script.

const count = quiz => {
  const right = quiz.querySelectorAll('[open] [data-right=True]'), all = quiz.querySelectorAll('.attn-question');
  quiz.querySelector('.attn-score').textContent = `${right.length} of ${all.length} answered right.`;
};

// What the theme leaves out: what is wider than the page scrolls by keyboard too, and both sides of it have names.

const reach = part => part.querySelectorAll('pre, .attn-views > div, .math-block, .table-wrapper').forEach(box =>
  box.scrollWidth > box.clientWidth ? box.tabIndex = 0 : box.removeAttribute('tabindex'));

document.querySelectorAll('.attn-frozen').forEach(start);
document.querySelectorAll('.attn-quiz').forEach(quiz => { count(quiz); quiz.addEventListener('toggle', () => count(quiz), true); });
for (const name of ['load', 'resize']) addEventListener(name, () => reach(document));
for (const [drawer, name] of [['.sidebar-drawer', 'Lessons'], ['.toc-drawer', 'On this page']])
  document.querySelectorAll(drawer).forEach(side => side.ariaLabel = name);
document.addEventListener('toggle', event => reach(event.target), true);
