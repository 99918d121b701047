import type { Shape } from '#shared/domain/shapes.ts';
import type { KeySettings } from '#shared/operations/metadata/key-settings.ts';
import type { Trouble } from '#shared/operations/service/simulator-fields.ts';
import type { Micros } from '#shared/values/time.ts';

/* A small building of simulated devices, to look at an app with (docs/rigs.md, "Simulators"). */

export interface BuildingDevice {
  readonly name: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly keys: Readonly<Record<string, { readonly shape: Shape } & Partial<KeySettings>>>;
  readonly trouble?: Partial<Trouble>;
}

export const BUILDING_NAME = 'Small building (simulated)';
export const BUILDING_EVERY_MS = 60_000;

const HOUR = 3_600_000_000;
const DAY = 24 * HOUR;
/** Days of it begin at eight in the morning, UTC. */
const MORNING = 8 * HOUR;

/** The beginning of its history: a morning that is at least so many hours ago. */
export const buildingStart = (now: Micros, hours: number): Micros =>
  Math.floor((now - hours * HOUR - MORNING) / DAY) * DAY + MORNING;

const day_s = 86_400;
const celsius = { unit: '°C', decimals: 1, shown_as: 'Temperature' } as const;
const co2 = { unit: 'ppm', decimals: 0, shown_as: 'CO₂', low: 400, high: 1000 } as const;
/** Hours of a day from eight in the morning on. */
const worked: readonly boolean[] = Array.from({ length: 24 }, (_, hour) => hour < 10 && hour !== 4);

export const BUILDING: readonly BuildingDevice[] = [
  {
    name: 'Roof weather station',
    description: 'Outdoor air. Its clock and its radio are not the best.',
    tags: ['outdoor'],
    keys: {
      temperature: {
        ...celsius,
        shape: { shape: 'sine', mean: 9, amplitude: 5, period_s: day_s, noise: 0.3 },
      },
      humidity: {
        shape: { shape: 'walk', start: 68, step: 0.8, min: 35, max: 98 },
        shown_as: 'Humidity',
        unit: '%',
        decimals: 0,
      },
    },
    trouble: { gaps: 0.02, late: 0.02 },
  },
  {
    name: 'Office',
    description: 'Air of the office, and whether somebody is in.',
    tags: ['indoor', 'air'],
    keys: {
      temperature: {
        ...celsius,
        shape: { shape: 'sine', mean: 21.2, amplitude: 1.1, period_s: day_s, noise: 0.1 },
        low: 18,
        high: 24,
      },
      co2: { ...co2, shape: { shape: 'sine', mean: 650, amplitude: 220, period_s: day_s, noise: 20 } },
      occupied: { shape: { shape: 'states', states: worked, stay_s: 3600 }, shown_as: 'Occupied' },
    },
  },
  {
    name: 'Meeting room',
    description: 'Its temperature sensor drifts: it shows some three degrees more each day.',
    tags: ['indoor', 'air', 'drifts'],
    keys: {
      temperature: {
        ...celsius,
        shape: { shape: 'ramp', from: 21, to: 42, period_s: 7 * day_s },
        low: 18,
        high: 24,
      },
      co2: { ...co2, shape: { shape: 'walk', start: 600, step: 25, min: 410, max: 1600 } },
    },
  },
  {
    name: 'Boiler',
    description: 'Flow, pressure and what the burner does.',
    tags: ['heating'],
    keys: {
      flow_temperature: {
        shape: { shape: 'sine', mean: 56, amplitude: 6, period_s: 5400, noise: 0.4 },
        shown_as: 'Flow',
        unit: '°C',
        decimals: 1,
        low: 35,
        high: 75,
      },
      pressure: {
        shape: { shape: 'walk', start: 1.6, step: 0.01, min: 1.1, max: 2 },
        shown_as: 'Pressure',
        unit: 'bar',
        decimals: 2,
        low: 1,
        high: 2.5,
      },
      burner: {
        shape: { shape: 'states', states: ['heating', 'heating', 'idle'], stay_s: 1800 },
        shown_as: 'Burner',
      },
    },
  },
  {
    name: 'Electricity meter',
    description: 'All that the building takes.',
    tags: ['meter'],
    keys: {
      power: {
        shape: { shape: 'walk', start: 1200, step: 180, min: 150, max: 5200 },
        shown_as: 'Power',
        unit: 'W',
        decimals: 0,
      },
      energy: { shape: { shape: 'counter', step: 0.024 }, shown_as: 'Energy', unit: 'kWh', decimals: 2 },
    },
    trouble: { spikes: 0.001 },
  },
  {
    name: 'Water meter',
    description: 'Counts litres, and wraps as meters do.',
    tags: ['meter'],
    keys: {
      volume: {
        shape: { shape: 'counter', step: 3, wraps_at: 10_000 },
        shown_as: 'Volume',
        unit: 'l',
        decimals: 0,
      },
      leak: { shape: { shape: 'constant', value: false }, shown_as: 'Leak' },
    },
  },
];
