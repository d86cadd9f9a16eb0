// Swagger UI renders the entire API page, so this script adds the link back to the console.
const back = document.createElement('nav');
back.className = 'back';
back.innerHTML = '<a href="/">← Console</a>';
document.body.prepend(back);
document.querySelector('#swagger-ui').setAttribute('role', 'main');
