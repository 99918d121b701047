import { isUplinkKey } from '#shared/domain/decoder-names.ts';
import type { View } from '#shared/domain/corrections.ts';
import type { PageDevice, PageFacts, PageKey } from '#shared/handover/page-facts.ts';
import { farOffRecords, type FarOff } from '../../chart/records/far-off.ts';
import { windowOf } from '../../chart/time/window.ts';
import { countOf } from '../../format.ts';
import type { Zone } from '../../time.ts';
import { Chart } from '../chart/chart.ts';
import { drawnKeys, type DrawnKeys } from '../chart/drawn-keys.ts';
import { keyPicker } from '../chart/key-picker.ts';
import { Looking } from '../chart/looking.ts';
import { calledOf, keysOf, shownView } from '../data/facts.ts';
import { PackedRecords, type ViewRecords } from '../data/records.ts';
import { correctionsPart, excursionsPart, notesPart, statisticsPart } from './device-tables.ts';
import { el, said, show } from '../parts/dom.ts';
import { RecordsTable } from './records-table.ts';

/** Keys that are drawn at first, and those without numbers; so many are looked at for that. */
const FIRST_LINES = 4;
const FIRST_STRIPS = 3;
const MOST_LOOKED_AT = 40;

/** All that the page has of a device. */
export class DevicePart {
  readonly element: HTMLElement;
  readonly #facts: PageFacts;
  readonly #device: PageDevice;
  readonly #keyOf: (key: string) => PageKey;
  readonly #packed: PackedRecords;
  readonly #looks = new Map<string, number>();
  readonly #table = new RecordsTable();
  readonly #chartBox = el('div');
  readonly #pickerBox = el('div');
  readonly #tables = el('div');
  readonly #far = el('div');
  readonly #records = el(
    'section',
    { class: 'screen' },
    el('h3', {}, 'Records'),
    el('p', {}, 'Of the keys that are chosen above, as they lie in what the chart shows.'),
    this.#table.element,
  );
  #chosen: readonly string[] | null = null;
  #chart: Chart | null = null;
  #looking: Looking | null = null;
  #drawn: { readonly drawn: DrawnKeys; readonly records: ViewRecords } | null = null;
  /** Of what is shown last: what comes late of something else is dropped. */
  #turn = 0;
  #zone: Zone = 'local';
  #view: View = 'corrected';

  constructor(facts: PageFacts, place: number) {
    const device = facts.devices[place];
    if (!device) throw new RangeError('There is no such device in this file.');
    this.#facts = facts;
    this.#device = device;
    this.#keyOf = keysOf(device);
    this.#packed = new PackedRecords(place);
    this.element = el(
      'article',
      { 'aria-label': device.name },
      el('h2', {}, said(device.name)),
      this.#far,
      this.#chartBox,
      this.#pickerBox,
      this.#tables,
      this.#records,
      el(
        'section',
        {},
        el('h3', {}, 'Device'),
        el(
          'dl',
          { class: 'facts' },
          device.facts.map(([name, text]) =>
            el('div', {}, el('dt', {}, said(name)), el('dd', { dir: 'auto' }, text)),
          ),
        ),
      ),
    );
  }

  /** Rejects with an Error where the file is damaged. */
  async show(view: View, zone: Zone): Promise<void> {
    const turn = ++this.#turn;
    [this.#view, this.#zone] = [view, zone];
    const device = this.#device;
    this.#showTables();
    const shown = shownView(device, view);
    this.#records.hidden = shown.records === 0;
    if (shown.records === 0)
      return show(this.#chartBox, el('p', { class: 'empty' }, 'This device has no records.'));
    const records = await this.#packed.view(shown);
    this.#chosen ??= await this.#firstKeys(records);
    const drawn = await drawnKeys(records, this.#chosen, this.#keyOf, this.#looks);
    if (turn !== this.#turn) return;
    this.#drawn = { drawn, records };
    const whole = windowOf(records.times);
    if (whole === null) return;
    const far = farOffRecords(records.times);
    if (this.#looking === null)
      this.#looking = new Looking(whole, far?.core ?? whole, () => this.#lookedElsewhere());
    else this.#looking.reach(whole);
    this.#showFar(far);
    const called = calledOf(device, this.#facts, zone);
    const subject = { device, view, zone, called, times: records.times, drawn };
    if (this.#chart === null) {
      this.#chart = new Chart(subject, this.#looking);
      show(this.#chartBox, this.#chart.element);
    }
    show(
      this.#pickerBox,
      keyPicker({
        keys: records.keys,
        chosen: this.#chosen,
        keyOf: this.#keyOf,
        onChange: (chosen) => void this.#choose(chosen),
      }),
    );
    this.#chart.tell(subject);
    await this.#showRecords();
  }

  /** Puts what only paper has in its place. */
  print(): void {
    this.#chart?.print();
  }

  async #choose(chosen: readonly string[]): Promise<void> {
    this.#chosen = chosen;
    if (!this.#drawn || !this.#chart) return;
    const turn = ++this.#turn;
    const { records } = this.#drawn;
    const drawn = await drawnKeys(records, chosen, this.#keyOf, this.#looks);
    if (turn !== this.#turn) return;
    this.#drawn = { drawn, records };
    const called = calledOf(this.#device, this.#facts, this.#zone);
    this.#chart.tell({
      device: this.#device,
      view: this.#view,
      zone: this.#zone,
      called,
      times: records.times,
      drawn,
    });
    await this.#showRecords();
  }

  #lookedElsewhere(): void {
    this.#chart?.look();
    void this.#showRecords();
  }

  async #showRecords(): Promise<void> {
    if (!this.#drawn || !this.#looking) return;
    const { records } = this.#drawn;
    const { window } = this.#looking;
    const keys = this.#chosen ?? [];
    const found = await Promise.all(keys.map(async (key) => ({ key, column: await records.column(key) })));
    const columns = found.flatMap(({ key, column }) => (column ? [{ key, column }] : []));
    this.#table.show({ times: records.times, columns, keyOf: this.#keyOf, window, zone: this.#zone });
  }

  #showTables(): void {
    const called = calledOf(this.#device, this.#facts, this.#zone);
    const told = { device: this.#device, view: this.#view, called, keyOf: this.#keyOf };
    show(this.#tables, statisticsPart(told), excursionsPart(told), notesPart(told), correctionsPart(told));
  }

  #showFar(far: FarOff | null): void {
    if (far === null) return show(this.#far);
    const are = far.records === 1 ? 'lies' : 'lie';
    show(
      this.#far,
      el(
        'p',
        { class: 'notice' },
        `${countOf(far.records, 'record')} ${are} far from all others in time. “Show all” has them, too.`,
      ),
    );
  }

  /** The first few with numbers, and a few that are strips. */
  async #firstKeys(records: ViewRecords): Promise<readonly string[]> {
    const keys = records.keys.filter((key) => !isUplinkKey(key)).slice(0, MOST_LOOKED_AT);
    const { lines, strips } = await drawnKeys(records, keys, this.#keyOf, new Map());
    const first = new Set([
      ...lines.slice(0, FIRST_LINES).map(({ key }) => key),
      ...strips
        .filter(({ words }) => words !== null)
        .slice(0, FIRST_STRIPS)
        .map(({ key }) => key),
    ]);
    return keys.filter((key) => first.has(key));
  }
}
