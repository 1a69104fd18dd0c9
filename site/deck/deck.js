// A deck. Each beat of a lesson is one slide; what does not fit is divided by the rules below, before reveal.js starts.

const CONTROLS = 'input, select, button, summary, a';
const SIZES = [[34, 26], [30, 23], [26, 20]]; // of text and of code, in pixels
const CODE = [18, 16, 14]; // where nothing else helps
const LARGEST = 1.7, COMFORTABLE = 1.25, READABLE = .9, SMALLEST = .5; // how much pictures are enlarged
const PARTS = ['context', 'question', 'code', 'result', 'reading'];
const slides = document.querySelector('.slides');
const part = (slide, name) => slide.querySelector(`.${name}`);

const fits = slide => {
  const bottom = slide.clientHeight - parseFloat(getComputedStyle(slide).paddingBottom);
  return slide.scrollHeight <= slide.clientHeight && slide.scrollWidth <= slide.clientWidth
    && [...slide.children].every(block => block.offsetTop + block.offsetHeight <= bottom + 1)
    && [...slide.querySelectorAll('pre')].every(code => code.scrollWidth <= code.clientWidth);
};

const zoom = (slide, factor) => slide.querySelectorAll('.result > .attn').forEach(picture => picture.style.zoom = factor);

const measured = (slide, question) => { // what a question about its size says while it is shown
  slides.classList.add('measuring');
  slide.classList.add('measured');
  const answer = question();
  slide.classList.remove('measured');
  slides.classList.remove('measuring');
  return answer;
};

const enlarge = (slide, least) => measured(slide, () => { // the largest zoom with which it fits, if there is one
  const at = factor => { zoom(slide, factor); return fits(slide); };
  if (!at(least)) return false;
  let low = least, high = LARGEST;
  if (at(high)) return true;
  while (high - low > .02) at((low + high) / 2) ? low = (low + high) / 2 : high = (low + high) / 2;
  return at(low);
});

const sibling = (slide, ...parts) => { // another slide of the same beat
  const other = document.createElement('section');
  other.append(slide.firstElementChild.cloneNode(true), ...parts); // the heading
  const notes = part(slide, 'notes');
  if (notes) other.append(notes.cloneNode(true));
  return other;
};

const sized = (slide, [text, code]) => {
  slide.style.setProperty('--text', `${text}px`);
  slide.style.setProperty('--code', `${code}px`);
};

const comfortable = slide => // the largest sizes with which it fits, if there are some
  SIZES.some(size => { sized(slide, size); return enlarge(slide, COMFORTABLE); });

const list = block => block.matches('table') ? block.querySelector('tbody') : block.matches('ul, ol') ? block : null;

const inside = (place, block) => { // the copy of a block in another place, where it goes on
  const same = [...place.children].find(one => one.tagName === block.tagName && one.className === block.className);
  if (same) return same;
  const copy = block.cloneNode(block.matches('table'));
  list(copy)?.replaceChildren();
  move(copy, place);
  return copy;
};

const move = (block, place) => place.matches('section') ? place.firstElementChild.after(block) : place.prepend(block);

const divide = slide => { // a text over several slides, where its paragraphs end
  if (comfortable(slide)) return;
  const rest = sibling(slide);
  while (cut(slide, rest) && !comfortable(slide));
  if (!comfortable(slide)) smallCode(slide);
  if (rest.querySelector('div') === null) return;
  slide.after(rest);
  divide(rest);
};

const cut = (slide, rest) => { // the last part, paragraph, line of a list or row of a table moves to the rest
  const block = [...slide.children].findLast(one => one.matches('.context, .question, .reading')), last = block.lastElementChild;
  if (block.children.length > 1) move(last, inside(rest, block));
  else if (block.previousElementSibling.matches('.context, .question')) move(block, rest);
  else if (list(last)?.children.length > 1) move(list(last).lastElementChild, list(inside(inside(rest, block), last)));
  else return false;
  return true;
};

const longest = blocks => [...blocks].toSorted((one, other) => other.textContent.length - one.textContent.length)[0];

const arrange = slide => { // a quiz with the longest reason open
  const reason = longest(slide.querySelectorAll('.attn-question details'));
  if (reason) reason.open = true;
  arrangeParts(slide);
  if (reason) reason.open = false;
};

const arrangeParts = slide => {
  const [context, question, code, result, reading] = PARTS.map(name => part(slide, name));
  if (!code && !result) return divide(slide);
  const shown = box('shown', result, reading);
  for (const rule of question ? [apart, replace] : [replace, apart]) {
    if (comfortable(slide)) return;
    rule(slide, context, question, code, result && shown);
  }
  const explorer = slide.querySelector('.attn-frozen');
  if (comfortable(slide) || !explorer && enlarge(slide, 1)) return;
  if (reading) {
    slide.after(sibling(slide, reading));
    divide(slide.nextElementSibling);
  }
  if (!explorer) spread(slide);
  if (!enlarge(slide, SMALLEST)) smallCode(slide);
};

const smallCode = slide => CODE.some(size => {
  slide.style.setProperty('--leading', 1.2);
  sized(slide, [SIZES.at(-1)[0], size]);
  return enlarge(slide, SMALLEST);
});

const box = (name, ...parts) => { // parts of a slide put together, where the first of them stands
  const around = document.createElement('div'), present = parts.filter(Boolean);
  around.className = name;
  present[0]?.before(around);
  around.append(...present);
  return around;
};

const apart = (slide, context, question) => { // the text on a slide before, with the question
  if (!context) return;
  const before = sibling(slide, context, ...(question ? [question.cloneNode(true)] : []));
  before.id = `${slide.id}-before`;
  slide.before(before);
  divide(before);
};

const replace = (slide, context, question, code, shown) => code && shown && box('replacing', code, shown);

const spread = slide => { // pictures side by side over several slides
  if (enlarge(slide, READABLE)) return;
  const views = slide.querySelector('.attn-views');
  if (!(views?.children.length > 1)) return;
  const others = views.cloneNode(), picture = views.parentElement.cloneNode(), result = part(slide, 'result').cloneNode();
  do others.prepend(views.lastElementChild);
  while (views.children.length > 1 && !enlarge(slide, READABLE));
  picture.append(others);
  result.append(picture);
  slide.after(sibling(slide, result));
  spread(slide.nextElementSibling);
};

const wait = slide => { // all parts but the first wait for a key; where the result replaces the code, this goes
  const parts = PARTS.map(name => part(slide, name)).filter(Boolean);
  parts.slice(1).forEach((one, place) => {
    one.classList.add('fragment');
    one.dataset.fragmentIndex = place + 1;
  });
  const code = part(slide, 'replacing > .code');
  if (!code) return;
  if (code.matches('.fragment')) code.classList.add('fade-in-then-out');
  else Object.assign(code.dataset, {fragmentIndex: 1}), code.classList.add('fragment', 'fade-out');
};

const leaves = () => [...slides.querySelectorAll('section:not(:has(> section))')];

const begin = async () => {
  await Promise.allSettled([...document.fonts].map(font => font.load()));
  leaves().forEach(arrange);
  leaves().forEach(wait);
  await Reveal.initialize({
    width: 1280, height: 720, margin: 0, minScale: .1, maxScale: 4, center: false, display: 'flex', hash: true,
    transition: 'none', scrollActivationWidth: 0, slideNumber: 'c/t', plugins: [RevealNotes],
    keyboardCondition: event => !event.target?.closest?.(CONTROLS),
    keyboard: {68: () => document.documentElement.classList.toggle('dark')}, // D
  });
};

document.querySelectorAll('.attn-frozen .attn-views').forEach(views => new MutationObserver(() => { // a larger state
  const slide = views.closest('section');
  for (let factor = Number(views.closest('.attn').style.zoom); slide.clientHeight && !fits(slide) && factor > SMALLEST;)
    zoom(slide, factor -= .05);
}).observe(views, {childList: true, subtree: true}));

document.addEventListener('keydown', event => event.key === 'Escape' && event.target.closest(CONTROLS)?.blur());

begin();
