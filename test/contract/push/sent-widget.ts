/** A widget as another service hands it over, which had none alike. */
export const sentWidget = (id: string) => ({
  kind: 'widgets',
  id,
  mark: '0'.repeat(16),
  base: null,
  says: { title: 'Handed over', type: 'text', sources: [], layout: {}, range: {} },
});
