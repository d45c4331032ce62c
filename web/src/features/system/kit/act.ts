// Something an administrator does: asked about when it can hurt, told when done, and every list looks again.
import { useQueryClient } from '@tanstack/react-query';
import { App } from 'antd';
import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { placeAround } from '@/ui/keep-place';
import { notify } from '@/ui/notices';

export interface Act {
  run: () => Promise<unknown>;
  /** What to say afterwards. */
  done: string;
  /** Asks first. */
  confirm?: { title: string; text?: string; ok: string };
}

/** Does what is asked for, once for two quick clicks on one button. A failure has been shown by then, so nobody has to catch it. */
export function useAct(): (act: Act) => void {
  const client = useQueryClient();
  const { modal } = App.useApp();
  const { t } = useTranslation();
  const busy = useRef(new Set<Element>());
  return ({ run, done, confirm }) => {
    const { activeElement } = document;
    const clicked = activeElement?.matches('button, input') ? activeElement : null;
    if (clicked && busy.current.has(clicked)) return;
    const work = async () => {
      if (clicked) busy.current.add(clicked);
      try {
        await run();
        notify.success(done);
      } catch (error) {
        console.warn('An action of the back office failed', error);
      }
      // After a failure too: a switch that did not move has to stand where the server has it.
      await client.invalidateQueries({ queryKey: ['system'] });
      if (clicked) busy.current.delete(clicked);
    };
    const around = clicked ? placeAround(clicked) : undefined;
    // The row may be gone with what was done to it: by keys one goes on in the list.
    const afterClose = () => {
      if (!around || clicked?.isConnected) return;
      // The focus is still in the dialog, which goes now.
      if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
      around();
    };
    if (!confirm) void work();
    else modal.confirm({ afterClose, title: confirm.title, content: confirm.text, okText: confirm.ok, cancelText: t('common.cancel'), okButtonProps: { danger: true }, onOk: work });
  };
}
