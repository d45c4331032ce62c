// A dialog of Ant Design: the keyboard starts at the first control of what it shows, and goes back to where it was opened.
import { Modal as Window, type ModalProps } from 'antd';
import { useFirstControl } from './first-control';
import { useReturnFocus } from './return-focus';

/** Mounted while it is open. */
export function Modal({ children, ...props }: ModalProps) {
  const { body, start } = useFirstControl(true);
  useReturnFocus();
  return (
    <Window {...props} open afterOpenChange={(shown) => shown && start()} destroyOnHidden>
      <div ref={body} style={{ display: 'contents' }}>
        {children}
      </div>
    </Window>
  );
}
