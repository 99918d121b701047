import { create } from 'zustand';
import { keep, readKept } from './kept.ts';

/** State of the sidebar, remembered in this browser but for the drawer. */
interface Sidebar {
  readonly folded: boolean;
  /** Projects whose devices show. */
  readonly unfolded: ReadonlySet<string>;
  /** Whether it lies open over the screen, where there is no room beside it. */
  readonly drawer: boolean;
  /** Whether a chart or a dashboard lies over all of the window. */
  readonly covered: boolean;
}

/** Projects that are remembered: those unfolded last. */
const MOST_UNFOLDED = 200;

export const useSidebar = create<Sidebar>(() => ({
  folded: readKept('sidebar-folded') === 'yes',
  unfolded: new Set(readKept('unfolded')?.split(',').filter(Boolean)),
  drawer: false,
  covered: false,
}));

export function foldSidebar(): void {
  const folded = !useSidebar.getState().folded;
  keep('sidebar-folded', folded ? 'yes' : 'no');
  useSidebar.setState({ folded });
}

export function setUnfolded(project_id: string, shows: boolean): void {
  const before = useSidebar.getState().unfolded;
  if (before.has(project_id) === shows) return;
  const others = [...before].filter((id) => id !== project_id);
  const unfolded = new Set((shows ? [...others, project_id] : others).slice(-MOST_UNFOLDED));
  keep('unfolded', [...unfolded].join(','));
  useSidebar.setState({ unfolded });
}

export const openSidebarDrawer = () => useSidebar.setState({ drawer: true });
export const closeSidebarDrawer = () => useSidebar.setState({ drawer: false });

/** Lets the sidebar stand still as it is while nobody sees it. */
export const coverSidebar = (covered: boolean) => useSidebar.setState({ covered });
