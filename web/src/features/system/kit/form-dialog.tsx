// A form in a dialog: what the server refuses stands at the field it means.
import { Form } from 'antd';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useQueryClient } from '@tanstack/react-query';
import { ApiError, messageOf } from '@/api/error';
import { Modal } from '@/ui/modal';
import { notify } from '@/ui/notices';
import css from './kit.module.css';

interface FormDialogProps<Values> {
  title: string;
  ok: string;
  /** What to say afterwards. */
  done: string;
  initial: Partial<Values>;
  /** Its calls are quiet: the dialog shows why they failed. */
  onSubmit: (values: Values) => Promise<unknown>;
  onClose: () => void;
  children: ReactNode;
}

export function FormDialog<Values extends object>({ title, ok, done, initial, onSubmit, onClose, children }: FormDialogProps<Values>) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const [form] = Form.useForm<Values>();
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();

  const submit = async (values: Values) => {
    // Enter sends too, which the busy button does not keep from.
    if (busy) return;
    setBusy(true);
    setProblem(undefined);
    try {
      await onSubmit(values);
      notify.success(done);
      onClose();
      await client.invalidateQueries({ queryKey: ['system'] });
    } catch (error) {
      const param = error instanceof ApiError ? error.param : undefined;
      const field = param !== undefined && Object.hasOwn(form.getFieldsValue(), param);
      if (field) form.setFields([{ name: param as never, errors: [messageOf(error)] }]);
      else setProblem(messageOf(error));
      setBusy(false);
    }
  };

  return (
    // A click beside it would lose what was filled in.
    <Modal mask={{ closable: false }} title={title} okText={ok} cancelText={t('common.cancel')} confirmLoading={busy} onCancel={onClose} onOk={form.submit}>
      <Form<Values> form={form} layout="vertical" requiredMark={false} initialValues={initial} onFinish={(values) => void submit(values)} className={css.form ?? ''}>
        {children}
      </Form>
      {problem !== undefined && (
        <p role="alert" className={css.problem}>
          {problem}
        </p>
      )}
    </Modal>
  );
}
