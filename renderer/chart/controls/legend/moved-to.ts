/** The ids with one of them at the place that another one has; as they are where either is missing. */
export function movedTo(ids: readonly string[], id: string, to: string): readonly string[] {
  const place = ids.indexOf(to);
  if (place === -1 || !ids.includes(id)) return ids;
  return ids.filter((each) => each !== id).toSpliced(place, 0, id);
}
