import { noInput } from '../../../base/contract/portal-procedure'
import { readHome } from '../../../surfaces/portal'
import { t } from '../init'
import { portalQuery } from '../procedures'

export const homeRouter = t.router({
  overview: portalQuery(noInput, readHome),
})
