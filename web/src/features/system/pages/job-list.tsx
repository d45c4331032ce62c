// Scheduled queries and the jobs of everybody.
import { useTranslation } from 'react-i18next';
import { useView, ViewPicker } from '../kit/view';
import { AllJobs } from '../parts/all-jobs';
import { Schedules } from '../parts/schedules';

export function Component() {
  const { t } = useTranslation();
  const [view, setView] = useView(['schedules', 'jobs']);
  const picker = (
    <ViewPicker
      label={t('system.pages.jobList')}
      view={view}
      onView={setView}
      options={[
        { value: 'schedules', label: t('system.jobList.schedules') },
        { value: 'jobs', label: t('system.jobList.jobs') },
      ]}
    />
  );
  return view === 'schedules' ? <Schedules picker={picker} /> : <AllJobs picker={picker} />;
}
