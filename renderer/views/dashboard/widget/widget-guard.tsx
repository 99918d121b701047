import { Component, type ReactNode } from 'react';
import { Problem } from '../../../components/work/problem.tsx';

interface Guarded {
  readonly children: ReactNode;
}

/** Error boundary of a widget: one that cannot be drawn says so in its place, and the others go on. */
export class WidgetGuard extends Component<Guarded, { readonly message: string | null }> {
  override readonly state: { readonly message: string | null } = { message: null };

  static getDerivedStateFromError(error: unknown): { readonly message: string } {
    return { message: error instanceof Error ? error.message : String(error) };
  }

  override render(): ReactNode {
    const { message } = this.state;
    if (message === null) return this.props.children;
    return (
      <Problem
        message={`This widget could not be drawn: ${message}`}
        onRetry={() => this.setState({ message: null })}
      />
    );
  }
}
