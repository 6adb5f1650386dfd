// Opens what the page holds compressed (zlib, base64): data first, then the scripts, which run in their order.
'use strict';

async function unpacked(element) {
  const bytes = Uint8Array.from(atob(element.textContent), letter => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate'));
  return new Response(stream).text();
}

async function openReport() {
  const packed = [...document.querySelectorAll('script[data-packed]')];
  const texts = await Promise.all(packed.map(unpacked));
  packed.forEach((element, i) => { if (element.dataset.packed === 'data') element.textContent = texts[i]; });
  packed.forEach((element, i) => {
    if (element.dataset.packed !== 'script') return;
    const script = document.createElement('script');
    script.textContent = texts[i];
    element.replaceWith(script);
  });
}

// Settled when charts and controls are there.
const reportReady = openReport().catch(error => {
  const note = document.createElement('p');
  note.textContent = `The charts need a browser of 2023 or later (${error}); the tables below hold the same figures.`;
  document.querySelector('main').prepend(note);
});
