import { useDistant } from '../../bridge/distant.ts';
import { hrefTo, placeOf, type Route } from '../../router.ts';
import { listedIn } from '../../screens.tsx';
import { closeSidebarDrawer } from '../../stores/sidebar.ts';
import classes from './sidebar.module.css';

/** The screens that belong to no project, each with its word. */
export function SidebarLinks({ route }: { readonly route: Route }) {
  // Anew when it is known what there is.
  useDistant();
  const here = placeOf(route);
  return (
    <nav aria-label="Main" className={classes['links']}>
      {listedIn('sidebar').map(({ title, icon: Icon, count: Count, route: to }) => (
        <a
          key={title}
          href={hrefTo(to)}
          className={classes['link']}
          aria-current={placeOf(to) === here ? 'page' : undefined}
          onClick={closeSidebarDrawer}
        >
          <Icon size={16} />
          <span>
            {title}
            {Count && <Count />}
          </span>
        </a>
      ))}
    </nav>
  );
}
