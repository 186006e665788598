import { Button } from './button'
import { RequestFailure } from './request-failure'

interface SaveRowProps {
  readonly label: string
  readonly saved: string
  /** The state of the save. */
  readonly save: { readonly isPending: boolean; readonly isSuccess: boolean; readonly error: unknown }
}

/** Shows the end of a form that is saved as a whole: the failure, the button, and that it is saved. */
export function SaveRow({ label, saved, save }: SaveRowProps) {
  return (
    <>
      {save.error === null ? null : <RequestFailure error={save.error} />}
      <div className="flex flex-wrap items-center gap-4">
        <Button type="submit" busy={save.isPending}>
          {label}
        </Button>
        <p role="status" className="font-medium text-success empty:hidden">
          {save.isSuccess ? saved : null}
        </p>
      </div>
    </>
  )
}
