import type { Inspection } from '#shared/operations/records/records.ts';
import type { ImportChoices } from '../import-choices.ts';
import type { FileItem, Told } from './file-items.ts';
import { nameAfter } from './file-names.ts';

/* Files of one kind: the same columns in the same layout, as one logger writes them day by day. What is chosen holds for all of them. */

/** Guesses that have to be alike for two files to be of one kind. */
export function kindOf({ format, delimiter, first_line, head_rows, columns }: Inspection): string {
  return JSON.stringify([format, delimiter, first_line, head_rows, columns.map(({ name }) => name)]);
}

/** The other files of its kind that are still to be imported. */
export function othersOfKind(item: FileItem, items: readonly FileItem[]): readonly FileItem[] {
  return items.filter((other) => isOfKind(item, other) && isChoosing(other));
}

/** Those of them for which a choice made for it holds, too. */
export function readAlike(item: FileItem, items: readonly FileItem[]): readonly FileItem[] {
  return item.isParted ? [] : othersOfKind(item, items).filter(({ isParted }) => !isParted);
}

/** Those that go where it goes, imported or not. */
export function placedTogether(item: FileItem, items: readonly FileItem[]): readonly FileItem[] {
  return item.isTogether ? items.filter((other) => isOfKind(item, other) && other.isTogether) : [];
}

/** Whether two files go into one device that is there. */
export function isSameDevice({ target }: FileItem, { target: other }: FileItem): boolean {
  return target.kind === 'device' && other.kind === 'device' && target.device_id === other.device_id;
}

/** Files of another kind that are still to be imported. */
export function ofOtherKinds({ kind }: FileItem, items: readonly FileItem[]): readonly FileItem[] {
  return items.filter((other) => isChoosing(other) && other.kind !== kind);
}

/** Whether something can still be chosen for a file. */
export const isChoosing = ({ state }: FileItem): boolean => state.name === 'choosing';

function isOfKind(item: FileItem, other: FileItem): boolean {
  return item.kind !== null && other.id !== item.id && other.kind === item.kind;
}

/** The order of its dates by the others that are read alike, where its own can be read either way; null where they do not agree. */
export function orderTold(item: FileItem, items: readonly FileItem[]): Told | null {
  if (item.inspected?.inspection.date_order_unsure !== true) return null;
  if (item.inspected.choices.date_order !== undefined) return null;
  const told = readAlike(item, items).flatMap(({ file, inspected }): Told[] => {
    if (inspected === null || inspected.choices.date_order !== undefined) return [];
    const { date_order: order, date_order_unsure: isUnsure } = inspected.inspection;
    return order === null || isUnsure ? [] : [{ order, by: file.name }];
  });
  const [first, ...others] = told;
  return first && others.every(({ order }) => order === first.order) ? first : null;
}

/** What a column without a telling name may be called: after the file, or after where all of its kind go. */
export function suggestedKey({ file, target, isTogether }: FileItem): string {
  return isTogether && target.kind === 'new' ? target.name.trim() : nameAfter(file);
}

/**
 * The choices by which a file is read as another one of its kind. When it began, whether it needs a zone, and what is called
 * after the file is its own.
 */
export function choicesAs(item: FileItem, other: FileItem): ImportChoices {
  const { started: _, zone, ...choices } = other.inspected?.choices ?? {};
  const own = item.inspected?.choices ?? {};
  return {
    ...renamedKey(choices, suggestedKey(other), suggestedKey(item)),
    ...(own.started !== undefined && { started: own.started }),
    ...(own.zone !== undefined && { zone: zone ?? own.zone }),
  };
}

/** Choices with another key in place of one, whatever column is called so. */
export function renamedKey(choices: ImportChoices, from: string, to: string): ImportChoices {
  if (choices.names === undefined) return choices;
  const names = Object.entries(JSON.parse(choices.names) as Record<string, string>);
  return {
    ...choices,
    names: JSON.stringify(Object.fromEntries(names.map(([name, key]) => [name, key === from ? to : key]))),
  };
}

/** Whether a file is read and its columns are called as those of another one of its kind. */
export function isReadAs(item: FileItem, other: FileItem): boolean {
  return (
    item.existing === other.existing &&
    textOf(item.units) === textOf(other.units) &&
    textOf(choicesAs(item, other)) === textOf(item.inspected?.choices ?? {})
  );
}

const textOf = (settings: object) =>
  JSON.stringify(
    Object.entries(settings)
      .filter(([, value]) => value !== undefined)
      .toSorted(([a], [b]) => (a < b ? -1 : 1)),
  );
