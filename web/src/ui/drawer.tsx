// A panel from the edge of the page: the keyboard starts at the first control of what it shows, and goes back to where it was opened.
import { Drawer as Panel, type DrawerProps } from 'antd';
import { useFirstControl } from './first-control';
import { useReturnFocus } from './return-focus';

export function Drawer({ open = false, children, ...props }: DrawerProps) {
  const { body, start } = useFirstControl(open);
  useReturnFocus();
  return (
    // By itself it focuses its frame. Without that its trap takes the first control of all, the cross, when nothing else has the focus.
    // eslint-disable-next-line jsx-a11y/no-autofocus
    <Panel {...props} open={open} autoFocus={false} afterOpenChange={(shown) => shown && start()}>
      <div ref={body} style={{ display: 'contents' }}>
        {children}
      </div>
    </Panel>
  );
}
