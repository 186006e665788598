'use client'

import { type ComponentProps, lazy } from 'react'
import { LatePart } from './late-part'
import type { PageError } from './page-error'

// Fetched when an error occurs, so that pages do not load it.
const View = lazy(() => import('./page-error').then(({ PageError: view }) => ({ default: view })))

/** Shows that a page failed; only that it is out of date where no script can be loaded any more. */
export function LatePageError(props: ComponentProps<typeof PageError>) {
  return (
    <LatePart>
      <View {...props} />
    </LatePart>
  )
}
