import type { View } from '#shared/domain/corrections.ts';
import type { PageFacts } from '#shared/handover/page-facts.ts';
import { countOf, formatCount } from '../format.ts';
import { formatTime, localZone, type Zone } from '../time.ts';
import { shownView } from './data/facts.ts';
import { DevicePart } from './device/device-part.ts';
import { choice, el, said, show } from './parts/dom.ts';
import { table } from './parts/table.ts';

/** Devices of a list that is open at first. */
const FEW = 6;

/** The page: what is chosen for all of it, a list of its devices where there are several, and the one that is looked at. */
export class Page {
  readonly #place: HTMLElement;
  readonly #facts: PageFacts;
  readonly #failed: (error: unknown) => void;
  readonly #parts = new Map<number, DevicePart>();
  readonly #devicePlace = el('div');
  readonly #list = el('div');
  #at = 0;
  #zone: Zone = 'local';
  #view: View;

  constructor(place: HTMLElement, facts: PageFacts, failed: (error: unknown) => void) {
    this.#place = place;
    this.#facts = facts;
    this.#failed = failed;
    this.#view = facts.view;
  }

  show(): void {
    const { devices, made_with } = this.#facts;
    const projects = [...new Set(devices.map(({ project }) => project))];
    const [first] = devices;
    const title =
      devices.length === 1 ? 'Measurements' : `Measurements of ${countOf(devices.length, 'device')}`;
    show(
      this.#place,
      el(
        'header',
        {},
        el(
          'div',
          {},
          el('h1', {}, title),
          projects.length === 1 && first ? el('p', {}, 'Project ', said(first.project)) : null,
        ),
        el('div', { class: 'choices' }, this.#deviceChoice(), this.#viewChoice(), this.#zoneChoice()),
      ),
      this.#list,
      this.#devicePlace,
      el('footer', {}, `Made with ${made_with}. All of it is in this one file; it asks for nothing else.`),
    );
    addEventListener('beforeprint', () => this.#parts.get(this.#at)?.print());
    addEventListener('hashchange', () => this.#goTo(this.#placeInAddress()));
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => this.#showDevice());
    matchMedia('(forced-colors: active)').addEventListener('change', () => this.#showDevice());
    this.#at = this.#placeInAddress();
    this.#showList();
    this.#showDevice();
  }

  #placeInAddress(): number {
    const place = Number(/^#device-(\d+)$/.exec(location.hash)?.[1] ?? 1) - 1;
    return place in this.#facts.devices ? place : 0;
  }

  #goTo(place: number): void {
    this.#at = place;
    const select = this.#place.querySelector<HTMLSelectElement>('select[name="device"]');
    if (select) select.value = String(place);
    this.#showList();
    this.#showDevice();
  }

  #deviceChoice(): HTMLElement | null {
    const { devices } = this.#facts;
    if (devices.length < 2) return null;
    const select = el(
      'select',
      { name: 'device' },
      devices.map(({ name }, place) => el('option', { value: place }, name)),
    );
    select.value = String(this.#placeInAddress());
    select.addEventListener('change', () => {
      location.hash = `#device-${Number(select.value) + 1}`;
    });
    return el('label', { class: 'choice' }, el('span', {}, 'Device'), select);
  }

  #viewChoice(): HTMLElement | null {
    if (!this.#facts.devices.some(({ corrected }) => corrected)) return null;
    return choice({
      label: 'Values',
      name: 'view',
      value: this.#view,
      ways: [
        ['corrected', 'Corrected'],
        ['raw', 'Raw, as stored'],
      ],
      onChange: (view) => {
        this.#view = view;
        this.#showList();
        this.#showDevice();
      },
    });
  }

  /** None where both are one. */
  #zoneChoice(): HTMLElement | null {
    if (localZone() === 'UTC') return null;
    return choice({
      label: 'Times',
      name: 'zone',
      value: this.#zone,
      ways: [
        ['local', localZone()],
        ['utc', 'UTC'],
      ],
      onChange: (zone) => {
        this.#zone = zone;
        this.#showList();
        this.#showDevice();
      },
    });
  }

  #showDevice(): void {
    if (this.#facts.devices.length === 0)
      return show(this.#devicePlace, el('p', {}, 'There is no device in this file.'));
    const part = this.#parts.get(this.#at) ?? new DevicePart(this.#facts, this.#at);
    this.#parts.set(this.#at, part);
    if (part.element.parentNode !== this.#devicePlace) show(this.#devicePlace, part.element);
    part.show(this.#view, this.#zone).catch(this.#failed);
  }

  #showList(): void {
    const { devices } = this.#facts;
    if (devices.length < 2) return;
    const wasOpen = this.#list.querySelector('details')?.open ?? devices.length <= FEW;
    const time = (at: number | null) => (at === null ? '–' : formatTime(at, this.#zone));
    const rows = devices.map((device, place) => ({ device, place, view: shownView(device, this.#view) }));
    show(
      this.#list,
      el(
        'details',
        { class: 'devices', open: wasOpen },
        el('summary', {}, countOf(devices.length, 'device')),
        table({
          caption: 'Devices',
          rows,
          most: rows.length,
          columns: [
            {
              head: 'Device',
              cell: ({ device, place }) =>
                el(
                  'a',
                  { href: `#device-${place + 1}`, 'aria-current': place === this.#at && 'true' },
                  said(device.name || '–'),
                ),
            },
            { head: 'Records', isNumber: true, cell: ({ view }) => formatCount(view.records) },
            { head: 'First', cell: ({ view }) => time(view.first) },
            { head: 'Last', cell: ({ view }) => time(view.last) },
            {
              head: 'Excursions',
              isNumber: true,
              cell: ({ view }) =>
                formatCount(view.excursions.reduce((sum, one) => sum + one.excursion_count, 0)),
            },
            {
              head: 'Corrections',
              isNumber: true,
              cell: ({ device }) => formatCount(device.corrections.length),
            },
          ],
        }),
      ),
    );
  }
}
