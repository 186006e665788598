import {openTestDatabase} from '@/test/database'
for(let i=0;i<3;i++){const t=performance.now(); const db=await openTestDatabase(); console.log('open test',performance.now()-t, await db.query('select count(*) from _prisma_migrations')); await db.close()}
