import 'uplot/dist/uPlot.min.css';
import './page.css';
import { readFacts } from './data/facts.ts';
import { Page } from './page.ts';
import { el, show } from './parts/dom.ts';

/*
 * The viewer of a page that is handed over (docs/hand-over.md): it is in the page itself, beside the records, and needs no service. It
 * is built by itself (scripts/lib/handover-viewer.mjs) and takes from the app what draws a chart and what words numbers and corrections.
 */

const place = document.getElementById('page') ?? document.body;

function failed(error: unknown): void {
  const why = error instanceof Error ? error.message : String(error);
  show(place, el('p', { role: 'alert', class: 'failed' }, `This page cannot be shown: ${why}`));
}

try {
  new Page(place, readFacts(), failed).show();
} catch (error) {
  failed(error);
}
