// The page of the API is Swagger UI's own; this puts the way back above it.
const back = document.createElement('nav');
back.className = 'back';
back.innerHTML = '<a href="/">← Console</a>';
document.body.prepend(back);
document.querySelector('#swagger-ui').setAttribute('role', 'main');
