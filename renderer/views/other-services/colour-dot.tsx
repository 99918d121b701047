import type { ServiceColour } from '#shared/operations/service/other-services.ts';

/** The colour that a service is known by. */
export function ColourDot({ colour }: { readonly colour: ServiceColour }) {
  return (
    <span
      aria-hidden
      style={{
        flex: 'none',
        width: 12,
        height: 12,
        borderRadius: '50%',
        background: `var(--mantine-color-${colour}-filled)`,
      }}
    />
  );
}
