// The form of a project, new or there already.
import { useMutation } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call, type Schemas } from '@/api/call';
import { messageOf } from '@/api/error';
import { Button } from '@/ui/button';
import { Dialog } from '@/ui/dialog';
import { Field } from '@/ui/field';
import { TagsField } from '@/ui/tags-field';
import css from './projects.module.css';

type Project = Schemas['ProjectView'];

const longestTitle = 100;

interface ProjectFormProps {
  /** The one that is changed; without it a new one is made. */
  project?: Project;
  onSaved: (project: Project) => void;
  onClose: () => void;
}

export function ProjectForm({ project, onSaved, onClose }: ProjectFormProps) {
  const { t } = useTranslation();
  const notesId = useId();
  const [title, setTitle] = useState(project?.title ?? '');
  const [notes, setNotes] = useState(project?.notes ?? '');
  const [tags, setTags] = useState<string[]>(project?.tags ?? []);
  const [open, setOpen] = useState(false);
  const [sent, setSent] = useState(false);
  const missing = sent && title.trim() === '';
  const saving = useMutation({
    mutationFn: () => {
      const what = { title: title.trim(), notes, tags };
      return project ? call('patch', '/api/project/update', { body: { id: project.id, revision: project.revision, ...what }, quiet: true }) : call('post', '/api/project/create', { body: { ...what, visibility: open ? 'public' : 'private' }, quiet: true });
    },
    onSuccess: onSaved,
  });
  const save = () => {
    setSent(true);
    if (title.trim() !== '') saving.mutate();
  };
  return (
    <Dialog
      title={t(project ? 'community.project.edit' : 'community.project.new')}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{t('common.cancel')}</Button>
          <Button kind="primary" busy={saving.isPending} onClick={save}>
            {t(project ? 'community.project.save' : 'community.project.create')}
          </Button>
        </>
      }
    >
      <form
        className={css.form}
        onSubmit={(event) => {
          event.preventDefault();
          save();
        }}
      >
        {saving.error && (
          <p className={css.refused} role="alert">
            {messageOf(saving.error)}
          </p>
        )}
        <Field label={t('community.project.title')} value={title} maxLength={longestTitle} {...(missing ? { error: t('community.project.titleMissing') } : {})} onChange={(event) => setTitle(event.target.value)} />
        <div className={css.notes}>
          <label htmlFor={notesId}>{t('community.project.notes')}</label>
          <textarea id={notesId} rows={3} value={notes} maxLength={5000} onChange={(event) => setNotes(event.target.value)} />
        </div>
        <TagsField label={t('community.project.tags')} tags={tags} onChange={setTags} />
        {!project && (
          <label className={css.open}>
            <input type="checkbox" checked={open} onChange={(event) => setOpen(event.target.checked)} />
            {t('community.project.public')}
          </label>
        )}
        {/* Enter in a field saves, as in every form. */}
        <button type="submit" hidden disabled={saving.isPending} />
      </form>
    </Dialog>
  );
}
