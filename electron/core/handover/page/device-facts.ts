import type { PageDevice } from '#shared/handover/page-facts.ts';
import { SOURCE_WORDS, SOURCES } from '#shared/domain/sources.ts';
import type { HandedDevice } from '../content.ts';

/** Facts of a device on a page, beside its records. */
export function factsOf(device: HandedDevice): Omit<PageDevice, 'raw' | 'corrected'> {
  const { facts, keys, notes, correctedNotes, corrections, history } = device;
  const source = SOURCES.find((known) => known === facts.source);
  const told: readonly (readonly [string, string])[] = [
    ['Device id', facts.id],
    ['Project', facts.project.name],
    ['Source', source === undefined ? facts.source : SOURCE_WORDS[source].label],
    ['Brand, model', [facts.brand, facts.model].filter(Boolean).join(', ')],
    ['Tags', facts.tags.join(', ')],
    ['Stores every', facts.interval_s === null ? '' : `${facts.interval_s} s`],
    ['Description', facts.description],
    ...Object.entries(facts.metadata).map(([name, value]) => [name, textOf(value)] as const),
  ];
  return {
    id: facts.id,
    name: facts.name,
    project: facts.project.name,
    facts: told.filter(([, text]) => text !== ''),
    keys,
    notes,
    ...(correctedNotes && { corrected_notes: correctedNotes }),
    corrections,
    history,
  };
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value));
