import { Component, useEffect, type ReactNode } from 'react';
import { onConnectionMade } from '../../bridge/connection.ts';
import { loadAnew } from '../../bridge/place.ts';
import { Problem } from './problem.tsx';

/** A part of the app could not be fetched. */
export class LoadError extends Error {
  override readonly name = 'LoadError';
}

interface Guarded {
  readonly children: ReactNode;
}

/** Error boundary of a part of the app that could not be loaded, in its place. */
export class LoadGuard extends Component<Guarded, { readonly error: unknown }> {
  override readonly state = { error: null };

  static getDerivedStateFromError(error: unknown): { readonly error: unknown } {
    return { error };
  }

  override render(): ReactNode {
    const { error }: { readonly error: unknown } = this.state;
    if (error === null) return this.props.children;
    // Whatever else went wrong in it is for whoever stands above.
    if (!(error instanceof LoadError)) throw error;
    return <NotLoaded message={error.message} />;
  }
}

/** Anew by its address, which has all that is shown: a browser may remember a failure for as long as the page lasts. */
function NotLoaded({ message }: { readonly message: string }) {
  useEffect(() => onConnectionMade(loadAnew), []);
  return (
    <div data-not-loaded>
      <Problem message={message} onRetry={loadAnew} />
    </div>
  );
}
