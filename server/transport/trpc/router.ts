import { t } from './init'
import { activityRouter } from './routers/activity'
import { ageRouter } from './routers/age'
import { agentsRouter } from './routers/agents'
import { approvalsRouter } from './routers/approvals'
import { cardsRouter } from './routers/cards'
import { credentialsRouter } from './routers/credentials'
import { developersRouter } from './routers/developers'
import { homeRouter } from './routers/home'
import { limitsRouter } from './routers/limits'
import { linksRouter } from './routers/links'
import { merchantsRouter } from './routers/merchants'
import { notificationsRouter } from './routers/notifications'
import { paymentsRouter } from './routers/payments'
import { privacyRouter } from './routers/privacy'
import { securityRouter } from './routers/security'
import { sessionRouter } from './routers/session'
import { welcomeRouter } from './routers/welcome'

/** All procedures of the portal. */
export const appRouter = t.router({
  session: sessionRouter,
  home: homeRouter,
  approvals: approvalsRouter,
  agents: agentsRouter,
  limits: limitsRouter,
  merchants: merchantsRouter,
  cards: cardsRouter,
  credentials: credentialsRouter,
  payments: paymentsRouter,
  activity: activityRouter,
  developers: developersRouter,
  notifications: notificationsRouter,
  security: securityRouter,
  age: ageRouter,
  privacy: privacyRouter,
  links: linksRouter,
  welcome: welcomeRouter,
})
export type AppRouter = typeof appRouter

/** Calls the procedures of {@link appRouter} without HTTP, for server components and tests. */
export const createCaller = t.createCallerFactory(appRouter)
