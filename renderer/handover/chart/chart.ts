import type { View } from '#shared/domain/corrections.ts';
import type { PageDevice } from '#shared/handover/page-facts.ts';
import { markedAt } from '../../chart/controls/legend/readings.ts';
import { stepFrom } from '../../chart/draw/step.ts';
import { chartColors, forcedColors, type ChartColors } from '../../chart/plot/palette.ts';
import type { WheelStep } from '../../chart/plot/wheel.ts';
import type { Pane } from '../../chart/scale/panes.ts';
import { selected } from '../../chart/time/window.ts';
import { spanWords } from '../../chart/picture-file/page-svg.ts';
import type { Called } from '../../components/corrections/correction-words.ts';
import type { Zone } from '../../time.ts';
import { notesOf } from '../data/facts.ts';
import { button, el, show } from '../parts/dom.ts';
import type { DrawnKeys } from './drawn-keys.ts';
import { keyAct, STEP, type Act } from './keyboard.ts';
import type { Looking } from './looking.ts';
import { showOver } from './over.ts';
import { printedPicture, stripsPicture } from './picture.ts';
import { Plot } from './plot.ts';
import { readAt, ReadOut, spoken } from './read-out.ts';

export interface ChartSubject {
  readonly device: PageDevice;
  readonly view: View;
  readonly zone: Zone;
  readonly called: Called;
  readonly times: Float64Array;
  readonly drawn: DrawnKeys;
}

/** Room for an axis in plots above one another, so that all of them begin at the same place. */
const STACKED_AXIS = 120;
const HINT =
  'Drag over the chart to look closer; a double click goes back. Wheel: Ctrl, or a click on the chart first. Keys: arrows read value by value, Shift and arrows move, + and − zoom, 0 shows all, Home and End read the first and last.';

/** The chart of a device: lines of what is chosen in a window of time, its read-out, and what is done to them. */
export class Chart {
  readonly element = el('div', { class: 'chart' });
  readonly #looking: Looking;
  #subject: ChartSubject;
  #plots: readonly Plot[] = [];
  #cursor: number | null = null;
  #isByKeys = false;
  #frame = 0;
  #readFrame = 0;
  readonly #span = el('p', { class: 'span' });
  readonly #plotsBox = el('div', { class: 'plots' });
  readonly #strips = el('div', { class: 'strips' });
  readonly #read = new ReadOut();
  readonly #told = el('p', { class: 'told', role: 'status' });
  readonly #printed = el('div', { class: 'printed' });
  readonly #buttons: Readonly<Record<'back' | 'all' | 'out' | 'earlier' | 'later', HTMLButtonElement>>;

  constructor(subject: ChartSubject, looking: Looking) {
    this.#subject = subject;
    this.#looking = looking;
    const middle = () => this.#middle();
    this.#buttons = {
      earlier: button('← Earlier', () => looking.pan(-STEP)),
      later: button('Later →', () => looking.pan(STEP)),
      out: button('Zoom out', () => looking.zoom(2, middle())),
      back: button('Back', () => looking.back()),
      all: button('Show all', () => looking.go(looking.whole)),
    };
    const { earlier, later, out, back, all } = this.#buttons;
    const closer = button('Zoom in', () => looking.zoom(0.5, middle()));
    this.#plotsBox.tabIndex = 0;
    this.#plotsBox.setAttribute('role', 'application');
    this.#plotsBox.setAttribute('aria-roledescription', 'chart');
    this.#plotsBox.addEventListener('keydown', (event) => this.#key(event));
    show(
      this.element,
      el(
        'div',
        { class: 'tools', role: 'group', 'aria-label': 'Chart' },
        closer,
        out,
        earlier,
        later,
        back,
        all,
      ),
      this.#span,
      this.#plotsBox,
      this.#strips,
      this.#read.element,
      this.#told,
      el('p', { class: 'hint' }, HINT),
      this.#printed,
    );
    new ResizeObserver(() => this.#fit()).observe(this.#plotsBox);
  }

  /** Shows other keys, another view or zone; or the same in other colours. */
  tell(subject: ChartSubject): void {
    this.#subject = subject;
    this.#build();
  }

  /** Shows the window that is looked at now, in the next frame. */
  look(): void {
    cancelAnimationFrame(this.#frame);
    this.#frame = requestAnimationFrame(() => this.#paint());
  }

  /** Puts the picture for paper in its place. */
  print(): void {
    const { device, view, drawn, times, zone } = this.#subject;
    const { window } = this.#looking;
    const notes = notesOf(device, view);
    show(this.#printed, printedPicture({ title: device.name, drawn, times, window, zone, notes }));
  }

  #build(): void {
    for (const plot of this.#plots) plot.destroy();
    const { drawn, zone } = this.#subject;
    const panes = this.#panes(800);
    const isStacked = panes.length > 1;
    const places = panes.map((_, at) =>
      el('div', { class: isStacked ? (at === panes.length - 1 ? 'plot low last' : 'plot low') : 'plot' }),
    );
    show(this.#plotsBox, places);
    const names = [...drawn.lines, ...drawn.strips].map(({ label }) => label).join(', ');
    this.#plotsBox.setAttribute('aria-label', names === '' ? 'Nothing is drawn' : `${names} over time`);
    this.#plots = panes.map((pane, at) => {
      const layout = {
        lines: pane.lines,
        zone,
        isTimed: at === panes.length - 1,
        ...(isStacked && { narrowestAxis: STACKED_AXIS }),
      };
      return new Plot(places[at] ?? el('div'), layout, this.#colors(), {
        onCursor: (instant) => this.#point(instant),
        onSelect: (from, to) => this.#looking.go(selected(from, to, this.#looking.whole)),
        onBack: () => this.#looking.back(),
        onWheel: (step, event) => this.#wheel(step, event),
        onPlace: () => this.#showOver(),
      });
    });
    this.#paint();
  }

  #colors(): ChartColors {
    const isForced = matchMedia('(forced-colors: active)').matches;
    return isForced ? forcedColors(schemeNow()) : chartColors(schemeNow());
  }

  #panes(width: number): readonly Pane[] {
    const { drawn } = this.#subject;
    return drawn.lines.length === 0 ? [] : drawn.panesIn(this.#looking.window, width);
  }

  #paint(): void {
    const { window, whole, isWhole, canGoBack } = this.#looking;
    const { zone } = this.#subject;
    const width = this.#plots[0]?.pixels ?? 800;
    for (const [at, pane] of this.#panes(width).entries())
      this.#plots[at]?.show(pane.drawing, pane.ranges, window);
    show(this.#span, spanWords(window, zone));
    const { back, all, out, earlier, later } = this.#buttons;
    back.disabled = !canGoBack;
    for (const one of [all, out]) one.disabled = isWhole;
    earlier.disabled = window.from <= whole.from;
    later.disabled = window.to >= whole.to;
    this.#showStrips();
    this.#showRead();
  }

  #showStrips(): void {
    const { drawn, times } = this.#subject;
    const whole = this.#plotsBox.clientWidth;
    const across = this.#plots.at(-1)?.across ?? { left: 40, width: Math.max(1, whole - 80) };
    const { window } = this.#looking;
    const picture = stripsPicture({ drawn, times, window }, { ...across, whole }, schemeNow());
    if (picture === null) return show(this.#strips);
    const alt = `Strips of ${drawn.strips.map(({ label }) => label).join(', ')}`;
    show(this.#strips, el('img', { ...picture, width: whole, alt }));
  }

  #showRead(): void {
    const read = this.#readNow();
    const { drawn } = this.#subject;
    this.#read.show(read, this.#cursor !== null, drawn, this.#colors());
    const marked = markedAt(drawn.picture, this.#cursor);
    const panes = this.#panesOfLines();
    for (const [at, plot] of this.#plots.entries())
      plot.mark(marked.length === 0 ? [] : (panes[at] ?? []).map((line) => marked[line] ?? null));
    this.#showOver();
  }

  /** The places of each plot's lines. */
  #panesOfLines(): readonly (readonly number[])[] {
    const { lines, isStacked } = this.#subject.drawn;
    const places = [...lines.keys()];
    return isStacked ? places.map((place) => [place]) : [places];
  }

  #readNow() {
    const { drawn, times, zone } = this.#subject;
    return readAt({ drawn, times, zone, window: this.#looking.window, instant: this.#cursor });
  }

  #showOver(): void {
    const { device, view, called } = this.#subject;
    const { window } = this.#looking;
    const { corrections } = device;
    const notes = notesOf(device, view);
    for (const [at, plot] of this.#plots.entries())
      showOver(plot.over, {
        window,
        notes,
        corrections,
        view,
        called,
        cursor: this.#cursor,
        isFirst: at === 0,
        isLast: at === this.#plots.length - 1,
      });
  }

  #point(instant: number | null): void {
    if (instant === null && this.#isByKeys) return;
    this.#cursor = instant;
    this.#isByKeys = false;
    // What is painted stays: the pointer moves more often than a million points are drawn.
    cancelAnimationFrame(this.#readFrame);
    this.#readFrame = requestAnimationFrame(() => this.#showRead());
  }

  #wheel(step: WheelStep, { ctrlKey }: WheelEvent): boolean {
    const { window } = this.#looking;
    if (step.kind === 'axis') return false;
    if (step.kind === 'pan') return this.#looking.pan(step.share);
    if (!ctrlKey && document.activeElement !== this.#plotsBox) return false;
    return this.#looking.zoom(step.factor, window.from + step.place * (window.to - window.from)) || ctrlKey;
  }

  #middle(): number {
    const { from, to } = this.#looking.window;
    const isSeen = this.#cursor !== null && this.#cursor >= from && this.#cursor <= to;
    return isSeen ? (this.#cursor ?? from) : (from + to) / 2;
  }

  #key(event: KeyboardEvent): void {
    const act = keyAct(event);
    if (act === null) return;
    event.preventDefault();
    this.#do(act);
  }

  #do(act: Act): void {
    const looking = this.#looking;
    if (act === 'closer' || act === 'farther') looking.zoom(act === 'closer' ? 0.5 : 2, this.#middle());
    else if (act === 'all') looking.go(looking.whole);
    else if (act === 'back') looking.back();
    else if (act === 'drop') this.#put(null);
    else if (act === 'earlier' || act === 'later') looking.pan(act === 'earlier' ? -STEP : STEP);
    else this.#step(act);
  }

  /** Goes to the next value that is drawn, and takes the window with it. */
  #step(act: 'before' | 'after' | 'first' | 'last'): void {
    const { drawn, times } = this.#subject;
    const { window } = this.#looking;
    const by = act === 'before' || act === 'last' ? -1 : 1;
    const edge = by === 1 ? window.from - 1 : window.to + 1;
    const begin = act === 'first' || act === 'last' ? edge : (this.#cursor ?? edge);
    const lines = [...drawn.lines.keys()];
    const at =
      lines.length > 0
        ? stepFrom(drawn.picture, lines, begin, by)
        : stepFrom(
            { kind: 'records', view: { timestamps: times, columns: [times] }, facts: [] },
            [0],
            begin,
            by,
          );
    if (at === null) return;
    this.#looking.follow(at);
    this.#put(at);
  }

  #put(instant: number | null): void {
    this.#cursor = instant;
    this.#isByKeys = instant !== null;
    this.#showRead();
    const read = this.#readNow();
    show(this.#told, instant === null || read === null ? '' : spoken(read));
  }

  #fit(): void {
    for (const plot of this.#plots) plot.fit();
    this.look();
  }
}

const schemeNow = (): 'light' | 'dark' =>
  matchMedia('(prefers-color-scheme: dark)').matches && !matchMedia('print').matches ? 'dark' : 'light';
